// Processes that train together. Everything here is collective: all of them call it in the same order. A process that
// trains alone has a group, too, in which every call does nothing.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/launch.h"

namespace mlpac {

/// How long to wait for others, in seconds.
struct Patience {
  double rendezvous = 300;      ///< until all have joined
  double communication = 1800;  ///< for their part of one exchange
};

class Group {
 public:
  /// Alone.
  Group();
  /// Joins the others. UsageError for an address that cannot be used, Error if not all of them come.
  Group(const Launch& launch, const Patience& patience);
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group();

  /// A process on its own.
  static const Group& solo();

  int rank() const { return launch_.rank; }
  int size() const { return launch_.size; }
  bool alone() const { return link_ == nullptr; }
  /// The one that reads and writes the run folder and speaks for all.
  bool first() const { return launch_.rank == 0; }
  const Launch& launch() const { return launch_; }

  /// What this process has exchanged so far.
  struct Traffic {
    double waited = 0;       ///< seconds that it did nothing but wait
    double under_way = 0;    ///< seconds from the beginning of exchanges to their end; those through the host only
    std::int64_t bytes = 0;  ///< of the tensors that were summed
  };
  Traffic traffic() const;

  /// Tensors on this device are exchanged between GPUs directly, where every process has one of its own.
  void exchange_on(at::Device device);

  /// An exchange under way.
  class Pending {
   public:
    Pending();
    Pending(Pending&&) noexcept;
    Pending& operator=(Pending&&) noexcept;
    ~Pending();
    /// Until the tensor holds the result; Error if a process is lost.
    void wait();

   private:
    friend class Group;
    struct State;
    std::unique_ptr<State> state_;
  };

  /// Sums of every entry over all processes, in place.
  void sum(const at::Tensor& tensor) const;
  Pending begin_sum(const at::Tensor& tensor) const;
  /// The largest of every entry, in place.
  Pending begin_max(const at::Tensor& tensor) const;
  /// What all have, one below the other by rank; the numbers of rows may differ.
  at::Tensor gather(const at::Tensor& rows) const;
  /// What the first process has, in place.
  void from_first(const at::Tensor& tensor) const;
  std::string from_first(const std::string& text) const;

 private:
  class Link;
  enum class Operation { sum, max };
  Pending begin(const at::Tensor& tensor, Operation operation) const;

  Launch launch_;
  std::unique_ptr<Link> link_;  ///< null: alone
};

}  // namespace mlpac
