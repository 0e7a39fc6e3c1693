// Where processes find each other: a store of keys and values that rank 0, or torchrun's agent, keeps.
#pragma once

#include "distributed/c10d.h"
#include "distributed/group.h"

#ifdef MLPAC_GLOO

namespace mlpac {

/// "host:port"
std::string meeting_point(const Launch& launch);

/// A connection to the store; `serve`: which this process keeps.
StorePointer connect_store(const Launch& launch, const Patience& patience, bool serve);

/// Returns when all processes have joined; Error that says how many have if they do not.
void join(c10d::Store& store, const Launch& launch, const Patience& patience);

}  // namespace mlpac

#endif
