// Images per second of the input pipeline of training: decoded, resized, changed at random, collated in batches.
//
// Usage: mlpac_image_bench FOLDER SIZE BATCH EPOCHS THREADS. Prints images per second of the fastest epoch.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "core/log.h"
#include "core/memory.h"
#include "mlpac/error.h"
#include "tasks/image_items.h"
#include "train/prefetch.h"

namespace {

using namespace mlpac;  // NOLINT(google-build-using-namespace): a program of one file

double seconds_of_epoch(const Dataset& data, std::int64_t batch, std::int64_t epoch, std::int64_t threads) {
  const auto items = all_items(data);
  BatchList list;
  list.end = (data.items() + batch - 1) / batch;
  list.items = [&](std::int64_t number) {
    const auto first = items.begin() + number * batch;
    return std::vector<std::int64_t>(first, std::min(first + batch, items.end()));
  };
  list.training = EpochKey{1, static_cast<std::uint64_t>(epoch)};
  const auto start = std::chrono::steady_clock::now();
  BatchStream stream(data, list, at::kCPU, threads);
  for (std::int64_t i = 0; i < list.end; ++i) {
    Batch made;
    stream.next(made);
  }
  return seconds_since(start);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    fmt::print(stderr, "usage: mlpac_image_bench FOLDER SIZE BATCH EPOCHS THREADS\n");
    return 2;
  }
  keep_freed_memory();  // as the program does
  try {
    const auto number = [&](int i) { return std::strtol(argv[i], nullptr, 10); };
    ImageRecipe recipe;
    recipe.size = static_cast<int>(number(2));
    recipe.cutout = 0.5;
    recipe.rand_augment = true;
    const auto data = image_items(source_of_files(list_images(argv[1]).files), recipe, {});
    double best = 0;
    for (long epoch = 0; epoch < number(4); ++epoch) {
      const auto seconds = seconds_of_epoch(*data, number(3), epoch, number(5));
      best = std::max(best, static_cast<double>(data->items()) / seconds);
    }
    fmt::print("{:.1f}\n", best);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
