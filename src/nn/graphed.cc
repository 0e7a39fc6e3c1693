#include "nn/graphed.h"

#ifdef MLPAC_CUDA
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/log.h"
#include "distributed/batch_share.h"
#endif

namespace mlpac {

#ifdef MLPAC_CUDA

namespace {

constexpr int kPlainUses = 2;        // shapes that come rarely are not worth recording
constexpr std::size_t kGraphs = 64;  // each takes time to record

using Tensors = Graphed::Tensors;

/// The same memory without owning it. What a graph writes lies in its pool; recording another graph of the pool may
/// use the memory again, because only one of them plays at a time.
Tensors borrowed(const Tensors& tensors) {
  Tensors result;
  for (const auto& tensor : tensors) {
    if (!tensor.defined()) {
      result.emplace_back();
      continue;
    }
    result.push_back(
        torch::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(), tensor.options().requires_grad(false)));
  }
  return result;
}

struct Recording {
  at::cuda::CUDAGraph forward;
  at::cuda::CUDAGraph backward;
  Tensors inputs;
  Tensors outputs;
  Tensors output_gradients;
  Tensors parameters;
  Tensors gradients;  ///< of the parameters; undefined where one is not used
};

/// One forward pass that waits for its backward pass: until then nothing else may play in its memory.
struct Ticket : torch::CustomClassHolder {
  std::shared_ptr<Recording> recording;
  std::shared_ptr<int> pending = std::make_shared<int>(0);
};

class Play : public torch::autograd::Function<Play> {
 public:
  /// `anchor` only makes the result one that gradients are asked of.
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, const at::Tensor& /*anchor*/,
                                                const c10::intrusive_ptr<Ticket>& ticket) {
    context->saved_data["ticket"] = c10::IValue::make_capsule(ticket);
    ticket->recording->forward.replay();
    torch::autograd::variable_list outputs;
    for (const auto& output : ticket->recording->outputs) outputs.push_back(output.clone());
    return outputs;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto ticket = c10::static_intrusive_pointer_cast<Ticket>(context->saved_data["ticket"].toCapsule());
    auto& recording = *ticket->recording;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (gradients[i].defined()) {
        recording.output_gradients[i].copy_(gradients[i]);
      } else {
        recording.output_gradients[i].zero_();
      }
    }
    recording.backward.replay();
    for (std::size_t i = 0; i < recording.parameters.size(); ++i) {
      if (!recording.gradients[i].defined()) continue;
      auto& gradient = recording.parameters[i].mutable_grad();  // a plain pass of the same step may have come first
      gradient = gradient.defined() ? gradient + recording.gradients[i] : recording.gradients[i];
    }
    ticket->pending.reset();
    return {at::Tensor(), at::Tensor()};
  }
};

/// Whether a plain pass still waits for its backward pass: its nodes belong to another stream than a recording's.
bool in_use(const Tensors& parameters) {
  return std::any_of(parameters.begin(), parameters.end(), [](const at::Tensor& parameter) {
    return torch::autograd::impl::try_get_grad_accumulator(parameter) != nullptr;
  });
}

/// All recordings are made on one stream: memory that was used on it is kept for it.
c10::cuda::CUDAStream recording_stream(at::Device device) {
  static const auto stream = at::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index());
  return stream;
}

/// A weight that is cast in a recorded pass is none of the next pass.
class NoCastCache {
 public:
  NoCastCache() : before_(at::autocast::is_autocast_cache_enabled()) {
    at::autocast::set_autocast_cache_enabled(false);
  }
  NoCastCache(const NoCastCache&) = delete;
  NoCastCache& operator=(const NoCastCache&) = delete;
  ~NoCastCache() { at::autocast::set_autocast_cache_enabled(before_); }

 private:
  bool before_;
};

/// Buffers and random numbers as they were: trying a pass before it is recorded leaves no trace.
class Unchanged {
 public:
  Unchanged(torch::nn::Module& module, at::Device device)
      : generator_(at::globalContext().defaultGenerator(device)), state_(generator_.get_state()) {
    for (const auto& buffer : module.buffers()) saved_.emplace_back(buffer, buffer.clone());
  }
  Unchanged(const Unchanged&) = delete;
  Unchanged& operator=(const Unchanged&) = delete;
  ~Unchanged() {
    const at::NoGradGuard no_grad;
    for (auto& [buffer, value] : saved_) buffer.copy_(value);
    generator_.set_state(state_);
  }

 private:
  at::Generator generator_;
  at::Tensor state_;
  std::vector<std::pair<at::Tensor, at::Tensor>> saved_;
};

using Pool = decltype(at::cuda::graph_pool_handle());

void record(at::cuda::CUDAGraph& graph, Pool pool, const std::function<void()>& work) {
  graph.capture_begin(pool, cudaStreamCaptureModeThreadLocal);  // other threads may load data meanwhile
  try {
    work();
  } catch (...) {
    try {
      graph.capture_end();  // else the stream would go on recording what comes next
    } catch (const std::exception&) {
      // It fails because the work did: that is what is reported.
    }
    throw;
  }
  graph.capture_end();
}

}  // namespace

class Graphed::Recorder {
 public:
  Tensors operator()(torch::nn::Module& owner, const Tensors& inputs, const Function& function) {
    const bool learning = at::GradMode::is_enabled();
    Tensors parameters;
    if (learning) {
      // A gradient that waits to be added to lies where the next pass would play.
      if (!owner.is_training() || !pending_.expired()) return function(inputs);
      for (const auto& parameter : owner.parameters()) {
        if (parameter.grad().defined()) return function(inputs);
        if (parameter.requires_grad()) parameters.push_back(parameter);
      }
      if (parameters.empty()) return function(inputs);
    } else if (!pending_.expired()) {
      return function(inputs);
    }
    auto& slot = slots_[key(owner.is_training(), parameters.size(), inputs)];
    if (!slot.recording) {
      if (failed_ || slot.uses++ < kPlainUses || recorded_ >= kGraphs || in_use(parameters)) return function(inputs);
      try {
        slot.recording = recorded(owner, inputs, parameters, function);
        ++recorded_;
      } catch (const std::exception& error) {
        log_warning(fmt::format("a pass cannot be recorded as a CUDA graph, training goes on without: {}",
                                std::string_view(error.what()).substr(0, std::string_view(error.what()).find('\n'))));
        failed_ = true;
        return function(inputs);
      }
    }
    auto& recording = *slot.recording;
    {
      const at::NoGradGuard no_grad;
      for (std::size_t i = 0; i < inputs.size(); ++i) recording.inputs[i].copy_(inputs[i], /*non_blocking=*/true);
    }
    if (!learning) {
      recording.forward.replay();
      Tensors outputs;
      for (const auto& output : recording.outputs) outputs.push_back(output.clone());
      return outputs;
    }
    const auto ticket = c10::make_intrusive<Ticket>();
    ticket->recording = slot.recording;
    pending_ = ticket->pending;
    return Play::apply(anchor_, ticket);
  }

 private:
  struct Slot {
    int uses = 0;
    std::shared_ptr<Recording> recording;
  };

  static std::string key(bool training, std::size_t parameters, const Tensors& inputs) {
    const bool reduced = Autocast::active(at::kCUDA);
    std::string key = fmt::format("{} {} {}", training ? 1 : 0, parameters, reduced ? 1 : 0);
    for (const auto& input : inputs) {
      key += fmt::format(" {}", static_cast<int>(input.scalar_type()));
      for (const std::int64_t size : input.sizes()) key += fmt::format(",{}", size);
    }
    return key;
  }

  std::shared_ptr<Recording> recorded(torch::nn::Module& owner, const Tensors& inputs, const Tensors& parameters,
                                      const Function& function) {
    const auto device = inputs.front().device();
    if (!anchor_.defined()) {
      anchor_ = at::zeros({}, at::TensorOptions(device)).requires_grad_();
      pool_ = at::cuda::graph_pool_handle();
    }
    auto recording = std::make_shared<Recording>();
    recording->parameters = parameters;
    for (const auto& input : inputs) recording->inputs.push_back(input.detach().clone());
    torch::cuda::synchronize();
    {
      const NoCastCache no_cache;
      const Unchanged unchanged(owner, device);
      const c10::cuda::CUDAStreamGuard guard(recording_stream(device));
      Tensors outputs = function(recording->inputs);  // libraries set themselves up for this stream
      const auto gradients_of = [&](const Tensors& given) {
        // As in every backward pass: only the forward pass chooses a type for each operation.
        const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
        return torch::autograd::grad(outputs, parameters, given, /*retain_graph=*/false, /*create_graph=*/false,
                                     /*allow_unused=*/true);
      };
      if (!parameters.empty()) {
        Tensors ones;
        for (const auto& output : outputs) ones.push_back(at::ones_like(output));
        gradients_of(ones);
      }
      outputs.clear();
      torch::cuda::synchronize();
      record(recording->forward, pool_, [&] { outputs = function(recording->inputs); });
      for (const auto& output : outputs) recording->output_gradients.push_back(at::zeros_like(output.detach()));
      recording->outputs = borrowed(outputs);
      if (!parameters.empty()) {
        Tensors gradients;
        record(recording->backward, pool_, [&] { gradients = gradients_of(recording->output_gradients); });
        recording->gradients = borrowed(gradients);
      }
      torch::cuda::synchronize();
    }
    c10::cuda::CUDACachingAllocator::emptyCache();  // what plain passes of this shape took
    return recording;
  }

  std::map<std::string, Slot> slots_;
  std::weak_ptr<int> pending_;
  at::Tensor anchor_;
  Pool pool_{0, 0};
  std::size_t recorded_ = 0;
  bool failed_ = false;
};

Graphed::Tensors Graphed::operator()(const Tensors& inputs, const Function& function) {
  if (!inputs.front().is_cuda()) return function(inputs);
  // Batch norm talks to other processes, which cannot be recorded; it is what has buffers.
  if (BatchShare::current() != nullptr && owner_.is_training() && !owner_.buffers().empty()) return function(inputs);
  if (!recorder_) recorder_ = std::make_unique<Recorder>();
  return (*recorder_)(owner_, inputs, function);
}

#else

class Graphed::Recorder {};

Graphed::Tensors Graphed::operator()(const Tensors& inputs, const Function& function) { return function(inputs); }

#endif

Graphed::Graphed(torch::nn::Module& owner) : owner_(owner) {}
Graphed::~Graphed() = default;

}  // namespace mlpac
