// Inputs made ahead: in order, the same for every number of threads, bounded, and with their errors.
#include "train/prefetch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "mlpac/error.h"
#include "nn/torch.h"

namespace mlpac {

namespace {

constexpr std::int64_t kItems = 1000;

/// Four bytes of each item: its number, and one that depends on the key.
class Numbers : public ItemSource {
 public:
  std::vector<std::int64_t> item_shape() const override { return {2, 2}; }
  void make(std::int64_t item, std::optional<std::uint64_t> key, std::span<std::uint8_t> bytes) const override {
    if (item == broken) throw Error("item 13 is broken");
    if (slow > 0) std::this_thread::sleep_for(std::chrono::milliseconds(slow));
    ++made;
    bytes[0] = static_cast<std::uint8_t>(item & 0xFF);
    bytes[1] = static_cast<std::uint8_t>(item >> 8);
    bytes[2] = key ? static_cast<std::uint8_t>(*key & 0xFF) : 0;
    bytes[3] = key ? 1 : 0;
  }
  void collate(std::span<const std::int64_t> items, const at::Tensor& bytes, at::Device device,
               Batch& batch) const override {
    batch.rows.assign(items.begin(), items.end());
    batch.inputs = {bytes.to(device)};
  }

  std::int64_t broken = -1;
  int slow = 0;
  mutable std::atomic<int> made = 0;
};

BatchList batches(std::int64_t size, std::optional<EpochKey> training = {}) {
  BatchList list;
  list.end = (kItems + size - 1) / size;
  list.items = [size](std::int64_t number) {
    std::vector<std::int64_t> items;
    for (auto i = number * size; i < std::min(kItems, (number + 1) * size); ++i) items.push_back((i * 7) % kItems);
    return items;
  };
  list.training = training;
  return list;
}

/// All bytes of a list, in order.
at::Tensor all_bytes(const Numbers& source, const BatchList& list, std::int64_t threads) {
  Prefetch ahead(source, list, threads, false);
  std::vector<at::Tensor> parts;
  for (auto i = list.first; i < list.end; ++i) {
    const auto content = ahead.next();
    EXPECT_EQ(content.items, list.items(i));
    parts.push_back(content.bytes);
  }
  return at::cat(parts);
}

TEST(Prefetch, GivesTheSameForEveryNumberOfThreadsAndSizeOfBatches) {
  const Numbers source;
  const auto expected = all_bytes(source, batches(1000, EpochKey{5, 2}), 1);
  EXPECT_EQ(expected.size(0), kItems);
  for (const std::int64_t threads : {1, 2, 7}) {
    for (const std::int64_t size : {1, 64, 300}) {
      EXPECT_TRUE(at::equal(all_bytes(source, batches(size, EpochKey{5, 2}), threads), expected));
    }
  }
  EXPECT_FALSE(at::equal(all_bytes(source, batches(64, EpochKey{5, 3}), 3), expected));
  EXPECT_FALSE(at::equal(all_bytes(source, batches(64, EpochKey{6, 2}), 3), expected));
  EXPECT_EQ(all_bytes(source, batches(64), 3).select(1, 1).select(1, 1).sum().item<std::int64_t>(), 0);
}

TEST(Prefetch, StartsAnywhere) {
  const Numbers source;
  auto list = batches(100, EpochKey{1, 0});
  const auto whole = all_bytes(source, list, 2);
  list.first = 4;
  EXPECT_TRUE(at::equal(all_bytes(source, list, 2), whole.slice(0, 400)));
}

TEST(Prefetch, StaysAFewBatchesAhead) {
  const Numbers source;
  Prefetch ahead(source, batches(10), 4, false);
  ahead.next();
  for (int i = 0; i < 200 && source.made < 50; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_LE(source.made, 50);  // one taken and four that wait
}

TEST(Prefetch, AnErrorComesWithTheBatchItBelongsTo) {
  Numbers source;
  source.broken = 7 * 25;
  Prefetch ahead(source, batches(10), 3, false);
  ahead.next();
  ahead.next();
  EXPECT_THROW(ahead.next(), Error);
}

TEST(Prefetch, BatchesMayBeEmpty) {
  const Numbers source;
  BatchList list;
  list.end = 3;
  list.items = [](std::int64_t number) {
    return number == 1 ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{number};
  };
  Prefetch ahead(source, list, 2, false);
  EXPECT_EQ(ahead.next().items.size(), 1U);
  EXPECT_TRUE(ahead.next().items.empty());
  EXPECT_EQ(ahead.next().items.front(), 2);
}

TEST(Prefetch, WaitingIsMeasuredAndGivingUpIsQuick) {
  Numbers source;
  source.slow = 20;
  Prefetch ahead(source, batches(4), 1, false);
  ahead.next();
  EXPECT_GT(ahead.waited(), 0.05);
  EXPECT_LT(source.made, 100);  // the destructor does not make the rest
}

}  // namespace

}  // namespace mlpac
