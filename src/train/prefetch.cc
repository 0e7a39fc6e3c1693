#include "train/prefetch.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "core/random.h"
#include "nn/torch.h"

namespace mlpac {

namespace {

std::size_t product(const std::vector<std::int64_t>& shape) {
  return static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
}

std::size_t thread_count(std::int64_t threads) {
  if (threads > 0) return static_cast<std::size_t>(threads);
  return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

/// Called when batch `number` begins to be made: the source hears of the batch that comes some later, because a disk
/// needs longer than making one takes; with the first one also of those before it.
void announce_from(const ItemSource& source, const BatchList& list, std::int64_t number, std::int64_t first) {
  constexpr std::int64_t kEarlier = 8;
  const auto begin = number == first ? number : number + kEarlier;
  for (auto i = begin; i < std::min(number + kEarlier + 1, list.end); ++i) source.announce(list.items(i));
}

}  // namespace

Prefetch::Prefetch(const ItemSource& source, BatchList list, std::int64_t threads, bool pinned)
    : source_(source),
      list_(std::move(list)),
      next_(list_.first),
      item_bytes_(product(source.item_shape())),
      pinned_(pinned) {
  if (list_.training) stream_ = stream_key(list_.training->seed, "augment.items");
  // Small items are taken several at a time, so that threads do not queue for the next one.
  constexpr std::size_t kPortionBytes = std::size_t{1} << 17;
  portion_ = std::clamp<std::size_t>(kPortionBytes / std::max<std::size_t>(1, item_bytes_), 1, 16);
  const auto count = thread_count(threads);
  for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
}

Prefetch::~Prefetch() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

Prefetch::Slot* Prefetch::open_slot() {
  for (auto& slot : slots_) {
    if (slot.begun < slot.content.items.size()) return &slot;
  }
  while (slots_.size() < kAhead && next_ < list_.end) {
    auto& slot = slots_.emplace_back();
    try {
      slot.number = next_;
      slot.content.items = list_.items(next_++);
      auto shape = source_.item_shape();
      shape.insert(shape.begin(), static_cast<std::int64_t>(slot.content.items.size()));
      slot.content.bytes = at::empty(shape, at::TensorOptions(at::kByte).pinned_memory(pinned_));
    } catch (...) {
      slot.failure = std::current_exception();
      slot.content.items.clear();
    }
    if (!slot.content.items.empty()) return &slot;
    changed_.notify_all();  // nothing to make: ready at once
  }
  return nullptr;
}

void Prefetch::work() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    Slot* const slot = open_slot();
    if (slot == nullptr) {
      if (next_ >= list_.end) return;  // what is left is being made by others
      changed_.wait(lock);
      continue;
    }
    const std::size_t first = slot->begun;
    const std::size_t end = std::min(first + portion_, slot->content.items.size());
    slot->begun = end;
    lock.unlock();
    std::exception_ptr failure;
    try {
      if (first == 0) announce_from(source_, list_, slot->number, list_.first);
      make(*slot, first, end);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !slot->failure) slot->failure = failure;
    slot->done += end - first;
    if (slot->ready()) changed_.notify_all();
  }
}

void Prefetch::make(Slot& slot, std::size_t first, std::size_t end) {
  auto* const bytes = slot.content.bytes.data_ptr<std::uint8_t>();
  for (std::size_t i = first; i < end; ++i) {
    const std::int64_t item = slot.content.items[i];
    std::optional<std::uint64_t> key;
    if (list_.training) key = row_key(stream_, list_.training->epoch, static_cast<std::uint64_t>(item));
    source_.make(item, key, {bytes + i * item_bytes_, item_bytes_});
  }
}

Prefetch::Bytes Prefetch::next() {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !slots_.empty() && slots_.front().ready(); });
  waited_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (slots_.front().failure) std::rethrow_exception(slots_.front().failure);
  Bytes content = std::move(slots_.front().content);
  slots_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return content;
}

BatchStream::BatchStream(const Dataset& data, BatchList list, at::Device device, std::int64_t threads)
    : data_(data),
      source_(data.source(list.training.has_value())),
      list_(std::move(list)),
      device_(device),
      begin_(list_.first) {
  if (source_ == nullptr || list_.first >= list_.end) return;
  if (source_->worth_threads(device)) {
    ahead_.emplace(*source_, list_, threads, device.is_cuda());
  } else {
    announce_from(*source_, list_, list_.first, list_.first);
  }
}

void BatchStream::next(Batch& batch) {
  if (ahead_) {
    const auto content = ahead_->next();
    if (!content.items.empty()) source_->collate(content.items, content.bytes, device_, batch);
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  if (source_ != nullptr) announce_from(*source_, list_, list_.first + 1, begin_);
  const auto items = list_.items(list_.first++);
  if (!items.empty()) data_.collate(items, device_, batch);
  if (source_ != nullptr) waited_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace mlpac
