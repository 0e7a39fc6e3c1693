#include "distributed/group.h"

#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <future>
#include <thread>
#include <type_traits>
#include <utility>

#include "core/log.h"
#include "distributed/c10d.h"
#include "distributed/rendezvous.h"
#include "distributed/watch.h"
#include "mlpac/error.h"

namespace mlpac {

#ifdef MLPAC_GLOO

namespace {

using namespace std::chrono_literals;

/// The network that processes of one machine, or the one that the user names, talk over.
std::shared_ptr<::gloo::transport::Device> gloo_device(const Launch& launch) {
  using c10d::ProcessGroupGloo;
  if (const char* const name = std::getenv("GLOO_SOCKET_IFNAME"); name != nullptr && *name != 0) {
    return ProcessGroupGloo::createDeviceForInterface(name);
  }
  const bool loopback = launch.address == "localhost" || launch.address.starts_with("127.");
  return loopback ? ProcessGroupGloo::createDeviceForHostname("127.0.0.1") : ProcessGroupGloo::createDefaultDevice();
}

}  // namespace

class Group::Link {
 public:
  Link(const Launch& launch, const Patience& patience)
      : launch_(launch),
        patience_(patience),
        store_(connect_store(launch, patience, launch.rank == 0 && !launch.launcher_keeps_store)),
        errors_before_(std::uncaught_exceptions()) {
    join(*store_, launch, patience);
    watch_ = std::make_unique<Watch>(launch, connect_store(launch, patience, false));
    attempt([&] {
      const auto options = c10d::ProcessGroupGloo::Options::create(timeout());
      options->devices.push_back(gloo_device(launch_));
      host_ = c10::make_intrusive<c10d::ProcessGroupGloo>(c10::make_intrusive<c10d::PrefixStore>("gloo", store_),
                                                          launch_.rank, launch_.size, options);
    });
  }

  ~Link() {
    const bool failed = std::uncaught_exceptions() > errors_before_;
    if (!failed) {
#if MLPAC_TORCH_2
      if (device_) device_->shutdown();  // NCCL complains about groups that are just left
#endif
      return;
    }
    watch_->fail();
    // Exchanges that others will not finish must not keep this process.
    auto left = std::make_shared<std::promise<void>>();
    std::thread([left, host = std::move(host_), device = std::move(device_)]() mutable {
      host.reset();
      device.reset();
      left->set_value();
    }).detach();
    left->get_future().wait_for(2s);
  }

  void exchange_on(at::Device device) {
#ifdef MLPAC_NCCL
    const auto gpus = static_cast<int>(torch::cuda::device_count());
    if (!device.is_cuda() || launch_.local_size > gpus) return;  // NCCL wants a GPU for every process
    attempt([&] {
      const auto options = c10d::ProcessGroupNCCL::Options::create();
      options->timeout = timeout();
      device_ = c10::make_intrusive<c10d::ProcessGroupNCCL>(c10::make_intrusive<c10d::PrefixStore>("nccl", store_),
                                                            launch_.rank, launch_.size, options);
    });
#else
    static_cast<void>(device);
#endif
  }

  /// Who exchanges tensors of this device, or null: they have to go through the host.
  Communicator* direct(const at::Tensor& tensor) { return tensor.is_cuda() ? device_.get() : host_.get(); }
  Communicator& host() { return *host_; }

  /// Counts an exchange, and through the host also how long it is under way.
  void watch_traffic(const at::Tensor& tensor, c10d::Work& work) {
    bytes += static_cast<std::int64_t>(tensor.nbytes());
    if (tensor.is_cuda()) return;
    const auto start = std::chrono::steady_clock::now();
    // The future may end after this object.
    work.getFuture()->addCallback([total = under_way_, start](c10::ivalue::Future& /*done*/) {
      const auto nanoseconds = std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
      total->fetch_add(nanoseconds, std::memory_order_relaxed);
    });
  }
  double under_way() const { return 1e-9 * static_cast<double>(under_way_->load(std::memory_order_relaxed)); }

  double waited = 0;
  std::int64_t bytes = 0;

  template <typename Action>
  std::invoke_result_t<const Action&> attempt(const Action& action) {
    try {
      return action();
    } catch (const std::exception& error) {
      const std::string text = error.what();
      throw Error(watch_->explain(text.substr(0, text.find('\n'))) +
                  "; the run can be continued from its last checkpoint by --resume");
    }
  }

 private:
  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(1000 * patience_.communication));
  }

  Launch launch_;
  Patience patience_;
  StorePointer store_;
  int errors_before_;
  std::unique_ptr<Watch> watch_;
  c10::intrusive_ptr<Communicator> host_;
  c10::intrusive_ptr<Communicator> device_;
  std::shared_ptr<std::atomic<std::int64_t>> under_way_ = std::make_shared<std::atomic<std::int64_t>>(0);
};

Group::Traffic Group::traffic() const {
  return link_ ? Traffic{link_->waited, link_->under_way(), link_->bytes} : Traffic{};
}

struct Group::Pending::State {
  const Group* group;
  WorkPointer work;
  at::Tensor exchanged;
  at::Tensor target;  ///< where the result belongs; undefined: it is there
};

void Group::Pending::wait() {
  if (!state_) return;
  const auto state = std::move(state_);
  const auto start = std::chrono::steady_clock::now();
  state->group->link_->attempt([&] { return state->work->wait(); });
  state->group->link_->waited += seconds_since(start);
  if (state->target.defined()) state->target.copy_(state->exchanged);
}

Group::Group(const Launch& launch, const Patience& patience) : launch_(launch) {
  if (launch.size > 1 || launch.exchange_alone) link_ = std::make_unique<Link>(launch, patience);
}

void Group::exchange_on(at::Device device) {
  if (link_) link_->exchange_on(device);
}

Group::Pending Group::begin(const at::Tensor& tensor, Operation operation) const {
  Pending pending;
  if (!link_) return pending;
  auto* communicator = link_->direct(tensor);
  const bool staged = communicator == nullptr || !tensor.is_contiguous();
  auto exchanged = staged ? tensor.detach().to(at::kCPU).contiguous() : tensor.detach();
  if (staged) communicator = &link_->host();
  c10d::AllreduceOptions options;
  options.reduceOp = operation == Operation::max ? c10d::ReduceOp::MAX : c10d::ReduceOp::SUM;
  std::vector<at::Tensor> tensors{exchanged};
  auto work = link_->attempt([&] { return communicator->allreduce(tensors, options); });
  link_->watch_traffic(exchanged, *work);
  pending.state_ = std::make_unique<Pending::State>(
      Pending::State{this, std::move(work), exchanged, staged ? tensor.detach() : at::Tensor()});
  return pending;
}

at::Tensor Group::gather(const at::Tensor& rows) const {
  if (!link_) return rows;
  const auto sizes = at::zeros({size()}, at::kLong);
  sizes[rank()] = rows.size(0);
  sum(sizes);
  const auto most = sizes.max().item<std::int64_t>();
  auto shape = rows.sizes().vec();
  shape[0] = most;
  auto* communicator = link_->direct(rows);
  const bool staged = communicator == nullptr;
  if (staged) communicator = &link_->host();
  const auto options = staged ? rows.options().device(at::kCPU) : rows.options();
  auto own = at::zeros(shape, options);  // all send the same number of rows
  own.slice(0, 0, rows.size(0)).copy_(rows);
  std::vector<std::vector<at::Tensor>> all(1);
  for (int i = 0; i < size(); ++i) all[0].push_back(at::empty(shape, options));
  std::vector<at::Tensor> mine{own};
  if (most > 0) link_->attempt([&] { return communicator->allgather(all, mine)->wait(); });
  for (int i = 0; i < size(); ++i) {
    auto& part = all[0][static_cast<std::size_t>(i)];
    part = part.slice(0, 0, sizes[i].item<std::int64_t>());
  }
  return at::cat(all[0]).to(rows.device());
}

void Group::from_first(const at::Tensor& tensor) const {
  if (!link_) return;
  auto* communicator = link_->direct(tensor);
  const bool staged = communicator == nullptr || !tensor.is_contiguous();
  if (staged) communicator = &link_->host();
  std::vector<at::Tensor> tensors{staged ? tensor.detach().to(at::kCPU).contiguous() : tensor.detach()};
  link_->attempt([&] { return communicator->broadcast(tensors)->wait(); });
  if (staged) tensor.detach().copy_(tensors.front());
}

#else  // without Gloo there is only the process itself

class Group::Link {};
Group::Traffic Group::traffic() const { return {}; }
struct Group::Pending::State {};
void Group::Pending::wait() {}

Group::Group(const Launch& launch, const Patience& /*patience*/) {
  if (launch.size == 1 && !launch.exchange_alone) return;
  throw UsageError(fmt::format(
      "{} processes were started, but this program was built without communication between them (LibTorch's headers "
      "lack Gloo); start one process",
      launch.size));
}

void Group::exchange_on(at::Device /*device*/) {}
Group::Pending Group::begin(const at::Tensor& /*tensor*/, Operation /*operation*/) const { return {}; }
at::Tensor Group::gather(const at::Tensor& rows) const { return rows; }
void Group::from_first(const at::Tensor& /*tensor*/) const {}

#endif

Group::Group() = default;
Group::~Group() = default;

const Group& Group::solo() {
  static const Group group;
  return group;
}

Group::Pending::Pending() = default;
Group::Pending::Pending(Pending&&) noexcept = default;
Group::Pending& Group::Pending::operator=(Pending&&) noexcept = default;
Group::Pending::~Pending() = default;

Group::Pending Group::begin_sum(const at::Tensor& tensor) const { return begin(tensor, Operation::sum); }
Group::Pending Group::begin_max(const at::Tensor& tensor) const { return begin(tensor, Operation::max); }
void Group::sum(const at::Tensor& tensor) const { begin_sum(tensor).wait(); }

std::string Group::from_first(const std::string& text) const {
  if (alone()) return text;
  const auto length = torch::tensor({static_cast<std::int64_t>(text.size())}, at::kLong);
  from_first(length);
  const auto bytes = at::empty({length.item<std::int64_t>()}, at::kByte);
  auto* const data = reinterpret_cast<char*>(bytes.data_ptr<std::uint8_t>());
  if (first()) std::copy(text.begin(), text.end(), data);
  if (bytes.numel() > 0) from_first(bytes);
  return {data, static_cast<std::size_t>(bytes.numel())};
}

}  // namespace mlpac
