// Trains MLPAC on synthetic data of which three positives in ten are annotated, through the installed library.
#include <mlpac/mlpac.h>

#include <cstdio>

int main() {
  mlpac::SyntheticSpec spec;

  const auto train_data = mlpac::synthesise(spec);
  spec.seed = 1;  // more rows of the same kind
  const auto test_data = mlpac::synthesise(spec);

  mlpac::Options options;
  options.set("ratio", "0.3");
  options.set("quiet", "true");
  const auto report = mlpac::train(options, train_data, &test_data);

  const auto metrics = report.model->evaluate(test_data);
  std::printf("F1 %.1f with w = %.3g chosen without test labels\n", metrics.f1,
              report.result["selection"]["w"].get<double>());
  return metrics.f1 > 40 ? 0 : 1;
}
