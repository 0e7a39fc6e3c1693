#!/usr/bin/env python3
"""Trains TResNet-M in negative mode with eager PyTorch on random images and prints images per second (used by
bench/tresnet).

Usage: bench/eager_tresnet.py SIZE BATCH STEPS EPOCHS. Needs PyTorch with CUDA. As one writes it for speed: float16 autocast
with a loss scaler, channels-last, fused Adam, cudnn.benchmark; images lie on the GPU already.
"""
import sys
import time

import torch
from torch import nn
from torch.nn import functional


class ConvNorm(nn.Sequential):
    def __init__(self, inputs, outputs, kernel, slope=None):
        layers = [nn.Conv2d(inputs, outputs, kernel, padding=kernel // 2, bias=False), nn.BatchNorm2d(outputs)]
        super().__init__(*layers, *([nn.LeakyReLU(slope, inplace=True)] if slope is not None else []))


class Blur(nn.Module):
    def __init__(self, channels):
        super().__init__()
        line = torch.tensor([1.0, 2.0, 1.0]) / 4
        self.register_buffer("kernel", (line[:, None] * line).expand(channels, 1, 3, 3).contiguous())

    def forward(self, x):
        return functional.conv2d(functional.pad(x, (1, 1, 1, 1), mode="reflect"), self.kernel, stride=2, groups=x.shape[1])


class Squeeze(nn.Module):
    def __init__(self, channels, reduced):
        super().__init__()
        self.fc1, self.fc2 = nn.Conv2d(channels, reduced, 1), nn.Conv2d(reduced, channels, 1)

    def forward(self, x):
        return x * self.fc2(functional.relu(self.fc1(x.mean((2, 3), keepdim=True)))).sigmoid()


class Block(nn.Module):
    def __init__(self, inputs, planes, shrinks, squeezes, bottleneck):
        super().__init__()
        outputs = 4 * planes if bottleneck else planes
        blur = [Blur(planes)] if shrinks else []
        if bottleneck:
            squeeze = [Squeeze(planes, max(64, outputs // 8))] if squeezes else []
            layers = [ConvNorm(inputs, planes, 1, 1e-3), ConvNorm(planes, planes, 3, 1e-3), *blur, *squeeze,
                      ConvNorm(planes, outputs, 1)]
        else:
            squeeze = [Squeeze(planes, max(64, outputs // 4))] if squeezes else []
            layers = [ConvNorm(inputs, planes, 3, 1e-3), *blur, ConvNorm(planes, planes, 3), *squeeze]
        self.branch = nn.Sequential(*layers)
        pool = [nn.AvgPool2d(2, 2, ceil_mode=True, count_include_pad=False)] if shrinks else []
        changed = shrinks or inputs != outputs
        self.shortcut = nn.Sequential(*pool, ConvNorm(inputs, outputs, 1)) if changed else nn.Identity()

    def forward(self, x):
        return functional.relu(self.branch(x) + self.shortcut(x))


class TResNetM(nn.Module):
    def __init__(self, classes):
        super().__init__()
        stages, channels = [ConvNorm(48, 64, 3, 1e-2)], 64
        for stage, blocks in enumerate((3, 4, 11, 3)):
            planes, bottleneck = 64 << stage, stage >= 2
            for i in range(blocks):
                stages.append(Block(channels, planes, stage > 0 and i == 0, stage < 3, bottleneck))
                channels = 4 * planes if bottleneck else planes
        self.body, self.head = nn.Sequential(*stages), nn.Linear(channels, classes)

    def forward(self, x):
        n, c, h, w = x.shape
        x = x.view(n, c, h // 4, 4, w // 4, 4).permute(0, 3, 5, 1, 2, 4).reshape(n, 16 * c, h // 4, w // 4)
        return self.head(self.body(x.contiguous(memory_format=torch.channels_last)).mean((2, 3)))


def main():
    size, batch, steps, epochs = map(int, sys.argv[1:5])
    torch.backends.cudnn.benchmark = True
    device = torch.device("cuda")
    model = TResNetM(80).to(device, memory_format=torch.channels_last)
    pixels = torch.randint(0, 256, (batch * steps, 3, size, size), dtype=torch.uint8, device=device)
    labels = (torch.rand(batch * steps, 80, device=device) < 0.036).float()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-4, fused=True)
    scaler = torch.amp.GradScaler("cuda")
    times = []
    for _ in range(epochs):
        torch.cuda.synchronize()
        start = time.perf_counter()
        order = torch.randperm(batch * steps, device=device)
        for first in range(0, batch * steps, batch):
            rows = order[first:first + batch]
            x = pixels[rows].to(memory_format=torch.channels_last).float().div_(255)
            optimizer.zero_grad(set_to_none=True)
            with torch.autocast("cuda", torch.float16):
                logits = model(x)
            loss = functional.binary_cross_entropy_with_logits(logits.float(), labels[rows], reduction="sum")
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    print(batch * steps / min(times[1:]))


if __name__ == "__main__":
    main()
