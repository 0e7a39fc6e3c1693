// Steps of MLPAC on documents: how many documents a second go through a critic step and a policy step with the reward
// the critic gives. Called by bench/docre.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "core/log.h"
#include "methods/method.h"
#include "mlpac/error.h"
#include "mlpac/training.h"
#include "nn/dreeam.h"
#include "tasks/documents.h"
#include "tasks/model.h"
#include "trace.h"
#include "train/batch_order.h"

namespace mlpac {

namespace {

/// Multiply-adds of a forward pass count twice, as hardware makers count them. Heads are left out: they are 2 %.
double forward_flops(const EncoderConfig& c, double tokens, double length) {
  const double products = 4 * static_cast<double>(c.hidden) * static_cast<double>(c.hidden) +
                          2 * static_cast<double>(c.hidden) * static_cast<double>(c.intermediate);
  const double attention = 2 * length * static_cast<double>(c.hidden);
  return 2 * static_cast<double>(c.layers) * tokens * (products + attention);
}

void wait_for(at::Device device) {
  if (device.is_cuda()) torch::cuda::synchronize();
}

struct Bench {
  Options options;
  Problem problem;
  at::Device device{at::kCPU};
  bool bf16 = false;
  std::int64_t batch = 8;

  void step(Method& method, const BatchOrder& order, Clock& clock, StepLog& log) {
    Batch documents;
    problem.train->collate(order.step(clock.step % batches()).items, device, documents);
    documents.y = dense_labels(problem.annotated, documents.rows, device);
    documents.draws = Draws(1, 0, documents.rows, device);
    for (const auto& group : method.active(clock)) {
      for (auto* learner : group) {
        at::Tensor loss;
        {
          const Autocast autocast(bf16, device.type());
          loss = method.objective(*learner, documents, clock, log);
        }
        loss.backward();
        learner->optimizer->step(learner->rate(clock));
      }
    }
    ++clock.step;
  }

  std::int64_t batches() const {
    return BatchOrder::steps(static_cast<std::size_t>(problem.train->items()), {}, batch);
  }

  /// Steps after an epoch that meets every shape of batch often enough for it to be recorded.
  nlohmann::json measure(std::int64_t steps) {
    const auto& entry = find_method("mlpac");
    const auto rows = problem.train->label_rows(all_items(*problem.train));
    MethodContext context{options, problem.architecture, problem.decision, problem.annotated};
    context.train_rows = rows;
    context.device = device;
    const auto method = entry.create(entry, context);
    method->begin_phase(0, {});
    const BatchOrder order(all_items(*problem.train), {}, {}, batch, 1, 0, problem.train->costs());
    Clock clock;
    const std::int64_t warm = 2 * batches();
    clock.steps_per_epoch = warm + steps;
    StepLog log;
    for (std::int64_t i = 0; i < warm; ++i) step(*method, order, clock, log);
    wait_for(device);
    double flops = 0;
    std::int64_t documents = 0;
    const auto config = read_encoder_config(problem.architecture.at("encoder"), "config");
    for (std::int64_t i = warm; i < warm + steps; ++i) {
      for (const auto item : order.step(i % batches()).items) {
        const auto length = static_cast<double>(problem.train->costs()[static_cast<std::size_t>(item)]);
        flops += 7 * forward_flops(config, length, length);  // critic and policy forward and backward, and the reward
        ++documents;
      }
    }
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < steps; ++i) step(*method, order, clock, log);
    wait_for(device);
    const double seconds = seconds_since(start);
    const auto means = log.means();
    trace([&] {
      for (std::int64_t i = 0; i < std::min<std::int64_t>(steps, 8); ++i) step(*method, order, clock, log);
      wait_for(device);
    });
    return {{"critic_policy_docs_per_second", static_cast<double>(documents) / seconds},
            {"teraflops_per_second", flops / seconds / 1e12},
            {"teraflops_per_document", flops / static_cast<double>(documents) / 1e12},
            {"documents", documents},
            {"steps", steps},
            {"batch", batch},
            {"precision", bf16 ? "bf16" : "float32"},
            {"device", device.str()},
            {"encoder", options.text("encoder-preset")},
            {"parameters", create_network(problem.architecture)->parameter_count()},
            {"critic_loss", means.at("critic_loss")},
            {"policy_loss", means.at("policy_loss")}};
  }
};

int run(int argc, char** argv) {
  if (argc < 7) {
    throw UsageError(
        "docre_bench TRAIN.json rel2id.json TOKENISER PRESET DEVICE STEPS [OPTION VALUE]...; options as mlpac train "
        "has");
  }
  Bench bench;
  auto& options = bench.options;
  options.set("task", "documents");
  options.set("train", argv[1]);
  options.set("relations", argv[2]);
  options.set("tokeniser", argv[3]);
  options.set("encoder-preset", argv[4]);
  options.set("w", "10");
  options.set("pretrain", "none");
  bench.device = parse_device(argv[5]);
  options.set("precision", bench.device.is_cuda() ? "bf16" : "float32");
  for (int i = 7; i + 1 < argc; i += 2) options.set(argv[i], argv[i + 1]);
  apply_defaults(options);
  bench.bf16 = options.text("precision") == "bf16";
  bench.batch = options.integer("batch");
  bench.problem = load_document_task(options);
  const std::int64_t steps = std::atoll(argv[6]);
  fmt::print("{}\n", bench.measure(steps).dump());
  return 0;
}

}  // namespace

}  // namespace mlpac

int main(int argc, char** argv) {
  try {
    return mlpac::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "docre_bench: {}\n", error.what());
    return 1;
  }
}
