"""The steps of `mlpac train` at a fixed w, in eager PyTorch: what bench/speed compares the C++ program with.

Written to be fast, not to be read off the paper: whatever depends on the annotations alone is computed once for all
rows, terms without a gradient are left out, and no module, scheduler or logger is called in the loop.

  eager_mlpac.py FILE.npz MODE    MODE: supervised, exact or reinforce; prints {"steps_per_s": ...}
  eager_mlpac.py --check          small examples: the loss and its gradient against enumeration of all actions
  eager_mlpac.py FILE.npz --compare RUN   the losses of a run of the C++ program, epoch by epoch (see bench/speed)

FILE.npz holds x (float32, rows x features) and y (int8, rows x classes, 1 = annotated).
"""
import argparse
import itertools
import json
import pathlib
import time

import numpy as np
import torch
from torch.nn import functional as F

LR = 0.001


def batch_size(rows):
    """The rule of --batch 0 (src/tasks/training.cc)."""
    batch = 16
    while batch < 128 and batch * 40 < rows:
        batch *= 2
    return batch


def forward(net, x):
    hidden_weight, hidden_bias, weight, bias = net
    return F.linear(F.relu(F.linear(x, hidden_weight, hidden_bias)), weight, bias)


def new_network(inputs, outputs, width=256):
    layers = torch.nn.Linear(inputs, width), torch.nn.Linear(width, outputs)
    return [layers[0].weight, layers[0].bias, layers[1].weight, layers[1].bias]


def new_optimizer(net, name):
    kind, foreach = name.split("-") if "-" in name else (name, "")
    # Without weight decay, which is mlpac's default, Adam is AdamW less one multiplication.
    cls = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}[kind]
    return cls(net, lr=LR, weight_decay=0.0, foreach=foreach == "foreach")


def update(optimizer, loss, factor):
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.param_groups[0]["lr"] = LR * factor
    optimizer.step()


def negative_loss(z, y):
    return F.binary_cross_entropy_with_logits(z, y, reduction="sum") / len(y)


class Rewards:
    """Row-wise coefficients of E[R] = (1/N) sum_c m_c (2 pi_c - 1) k_c + w/|P| sum_{c in P} pi_c."""

    def __init__(self, y, w, rho):
        self.recall = y * (w / y.sum(1, keepdim=True).clamp(min=1))
        self.mask = torch.where(y > 0, 1.0, rho)  # its expectation
        self.local = self.mask * (2 / y.shape[1])

    def exact(self, z, k, rows):
        """-E[R] but for the constant sum_c m_c k_c / N, which has no gradient."""
        gain = torch.addcmul(self.recall.index_select(0, rows), self.local.index_select(0, rows), k)
        return -torch.dot(torch.sigmoid(z).flatten(), gain.flatten()) / len(rows)

    def reinforce(self, z, k, rows, samples):
        """-1/T sum_t R(a_t) sum_c m_c log pi_c(a_t,c); log pi_c(a) = a z - softplus(z), so two sums over t suffice."""
        with torch.no_grad():
            shape = (samples, *z.shape)
            a = (torch.rand(shape) < torch.sigmoid(z)).float()
            m = (torch.rand(shape) <= self.mask.index_select(0, rows)).float()
            # a and 2 a - 1 are linear: R = sum_c a_c (2 m_c k_c / N + recall_c) - sum_c m_c k_c / N
            k = k / z.shape[1]
            recall = self.recall.index_select(0, rows)
            reward = torch.einsum("tbc,tbc,bc->tb", a, m, 2 * k)
            reward += torch.einsum("tbc,bc->tb", a, recall)
            reward -= torch.einsum("tbc,bc->tb", m, k)
            m *= (reward / samples).unsqueeze(-1)
            without_a = m.sum(0)
            with_a = a.mul_(m).sum(0)
        return (without_a * F.softplus(z) - with_a * z).sum() / len(rows)


def train(x, y, mode, epochs, batch, w=2.0, rho=0.4, samples=100, optimizer="adam", start=None, watch=None):
    """Trains and returns the steps per second of all epochs but the first."""
    policy = start() if start else new_network(x.shape[1], y.shape[1])
    critic = [p.detach().clone().requires_grad_() for p in policy]
    policy_optimizer, critic_optimizer = new_optimizer(policy, optimizer), new_optimizer(critic, optimizer)
    rewards = Rewards(y, w, rho)
    steps = -(-len(x) // batch)
    total, step, begin = epochs * steps, 0, 0.0
    for epoch in range(epochs):
        if epoch == 1:
            begin = time.perf_counter()
        for rows in torch.randperm(len(x)).split(batch):
            factor = 1 - step / total  # linear decay
            step += 1
            inputs, labels = x.index_select(0, rows), y.index_select(0, rows)
            loss = negative_loss(forward(critic, inputs), labels)
            update(critic_optimizer, loss, factor)
            if mode == "supervised":
                continue
            with torch.no_grad():
                k = forward(critic, inputs).clamp_(-1, 1)
            z = forward(policy, inputs)
            policy_loss = (rewards.exact(z, k, rows) if mode == "exact" else rewards.reinforce(z, k, rows, samples))
            update(policy_optimizer, policy_loss, factor)
            if watch:
                constant = (rewards.local.index_select(0, rows) * k).sum() / 2 / len(rows)
                watch(epoch, loss.item(), (policy_loss + constant).item())
    return (epochs - 1) * steps / (time.perf_counter() - begin)


def check():
    """Every action of small examples, by the definition of the reward; then the samples' mean gradient."""
    torch.manual_seed(1)
    y = torch.tensor([[1.0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1]])
    z = torch.randn(3, 4, requires_grad=True)
    k = torch.randn(3, 4).clamp(-1, 1)
    w, rho, classes = 2.0, 0.4, 4
    expected = torch.zeros(())
    pi = torch.sigmoid(z)
    for row in range(3):
        for action in itertools.product((0, 1), repeat=classes):
            a = torch.tensor(action, dtype=torch.float)
            mask = torch.where(y[row] > 0, 1.0, rho)
            positives = y[row].sum().clamp(min=1)
            reward = (mask * (2 * a - 1) * k[row]).sum() / classes + w * (a * y[row]).sum() / positives
            expected = expected + torch.prod(a * pi[row] + (1 - a) * (1 - pi[row])) * reward / 3
    rewards, rows = Rewards(y, w, rho), torch.arange(3)
    loss = rewards.exact(z, k, rows)
    constant = (rewards.local * k).sum() / 2 / 3
    torch.testing.assert_close(loss + constant, -expected)
    gradient, = torch.autograd.grad(loss, z, retain_graph=True)
    torch.testing.assert_close(gradient, torch.autograd.grad(-expected, z)[0])
    sampled, = torch.autograd.grad(rewards.reinforce(z, k, rows, 1_000_000), z)
    torch.testing.assert_close(sampled, gradient, rtol=0.02, atol=0.002)
    print("the exact loss and gradient agree with enumeration, the mean of a million samples with both")


def read_safetensors(path):
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    tensors = {}
    for name, entry in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            values = np.frombuffer(data[8 + size + first:8 + size + last], dtype=np.float32)
            tensors[name] = torch.tensor(values).view(entry["shape"])
    return tensors


def compare(x, y, run):
    """RUN/start holds the initial weights, RUN/run/metrics.jsonl the losses of steps on all rows at once."""
    weights = read_safetensors(run / "start" / "model.safetensors")
    names = ["layer0.weight", "layer0.bias", "layer1.weight", "layer1.bias"]
    lines = [json.loads(line) for line in (run / "run" / "metrics.jsonl").read_text().splitlines()]
    worst = [0.0]

    def watch(epoch, critic_loss, policy_loss):
        for mine, theirs in ((critic_loss, lines[epoch]["critic_loss"]), (policy_loss, lines[epoch]["policy_loss"])):
            worst[0] = max(worst[0], abs(mine - theirs) / max(1, abs(theirs)))

    train(x, y, "exact", len(lines), len(x), start=lambda: [weights[n].clone().requires_grad_() for n in names],
          watch=watch)
    if worst[0] > 1e-4:
        raise SystemExit(f"losses differ from the C++ program's by {worst[0]:.1e}")
    print(f"critic and policy loss agree with those of mlpac to {worst[0]:.1e} in each of {len(lines)} epochs")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", nargs="?")
    parser.add_argument("mode", nargs="?", choices=["supervised", "exact", "reinforce"])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compare", type=pathlib.Path)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--optimizer", default="adam", choices=["adam", "adamw", "adam-foreach", "adamw-foreach"])
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if options.check:
        return check()
    with np.load(options.file) as data:
        x, y = torch.from_numpy(data["x"]), torch.from_numpy(data["y"]).float()
    if options.compare:
        return compare(x, y, options.compare)
    torch.manual_seed(1)
    speed = train(x, y, options.mode, options.epochs, options.batch or batch_size(len(x)), samples=options.samples,
                  optimizer=options.optimizer)
    print(json.dumps({"steps_per_s": round(speed, 1)}))


if __name__ == "__main__":
    main()
