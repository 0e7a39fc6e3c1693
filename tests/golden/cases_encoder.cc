// Encoders of text: every layer's output and attention.
#include "golden_case.h"
#include "nn/encoder.h"
#include "nn/network.h"

namespace mlpac::golden {

void encoder(GoldenCase& test) {
  const std::string config = test.params().at("config");
  Encoder network(read_encoder_config(test.folder().json(config), config));
  const auto& stored = test.folder().tensors(test.params().at("weights"));
  {
    const at::NoGradGuard no_grad;
    for (const auto& item : network.named_parameters()) {
      auto value = item.value();
      value.copy_(stored.at(item.key()));
    }
  }
  network.eval();
  network.to(test.device());
  const at::NoGradGuard no_grad;
  const auto mask = test.input("attention_mask").to(at::kLong);
  const auto rows = mask.to(at::kBool);
  for (const std::int64_t pad : {0, 1}) {
    const auto ids = test.input("input_ids").to(at::kLong).masked_fill(mask == 0, pad);
    const auto prefix = "pad" + std::to_string(pad) + ".";
    std::vector<at::Tensor> hidden;
    std::vector<at::Tensor> attention;
    const auto encoded = network.forward(ids, mask, 1, [&](std::int64_t, const at::Tensor& x, const at::Tensor& a) {
      hidden.push_back(x);
      if (a.defined()) attention.push_back(a);
    });
    test.expect(prefix + "last_hidden_state", encoded.hidden);
    test.expect(prefix + "last_attention", encoded.attention);
    test.expect(prefix + "hidden_states", at::stack(hidden));
    test.expect(prefix + "attention_layer0", attention.front());
    // The same without anybody looking: fused attention, positions that count.
    const auto fused = network.forward(ids, mask, 1);
    test.require(at::allclose(fused.hidden.index({rows}), encoded.hidden.index({rows}), 1e-4, 1e-5), "fused attention");
    test.exclude(prefix + "pooler_output", "nothing uses the pooled vector");
  }
}

}  // namespace mlpac::golden
