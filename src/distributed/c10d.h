// LibTorch's communication between processes, c10d, and what differs between its versions. Only this folder sees it.
#pragma once

#include "nn/torch.h"

#ifdef MLPAC_GLOO
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#ifdef MLPAC_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

namespace mlpac {

using StorePointer = c10::intrusive_ptr<c10d::Store>;
using WorkPointer = c10::intrusive_ptr<c10d::Work>;
#if MLPAC_TORCH_2
using Communicator = c10d::Backend;
#else
using Communicator = c10d::ProcessGroup;
#endif

}  // namespace mlpac
#endif
