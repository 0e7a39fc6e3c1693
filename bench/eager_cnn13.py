#!/usr/bin/python3
"""Trains CNN-13 in negative mode with eager PyTorch on random images and prints images per second (used by bench/images).

Usage: bench/eager_cnn13.py IMAGES BATCH EPOCHS THREADS nchw|channels-last|convolutions

"convolutions" trains nothing: it runs the convolutions of CNN-13 alone, forward and backward, channels last. No program that
calls the same library for them can be faster.
"""
import sys
import time

import torch

SHAPES = ((96, 3, 1), (96, 3, 1), (96, 3, 2), (192, 3, 1), (192, 3, 1), (192, 3, 2), (192, 3, 1), (192, 1, 1), (10, 1, 1))


def network():
    layers, channels = [], 3
    for width, kernel, stride in SHAPES:
        layers += [torch.nn.Conv2d(channels, width, kernel, stride, kernel // 2), torch.nn.BatchNorm2d(width),
                   torch.nn.ReLU(inplace=True)]
        channels = width
    return torch.nn.Sequential(*layers, torch.nn.Flatten(), torch.nn.Linear(640, 1000), torch.nn.ReLU(inplace=True),
                               torch.nn.Linear(1000, 1000), torch.nn.ReLU(inplace=True), torch.nn.Linear(1000, 1))


def convolutions_alone(images, batch, epochs):
    """Images per second if nothing but convolutions had to be computed."""
    layers, channels, side = [], 3, 32
    for width, kernel, stride in SHAPES:
        x = torch.rand(batch, channels, side, side).to(memory_format=torch.channels_last)
        layer = torch.nn.Conv2d(channels, width, kernel, stride, kernel // 2).to(memory_format=torch.channels_last)
        inputs = [layer.weight, layer.bias] + ([x.requires_grad_()] if channels > 3 else [])  # pixels need no gradient
        layers.append((x, layer, inputs, torch.ones_like(layer(x))))
        channels, side = width, side // stride
    times = []
    for _ in range(epochs):
        start = time.perf_counter()
        for _ in range(images // batch):
            for x, layer, inputs, gradient in layers:
                torch.autograd.grad(layer(x), inputs, gradient)
        times.append(time.perf_counter() - start)
    return images / min(times[1:])


def main():
    images, batch, epochs, threads = map(int, sys.argv[1:5])
    if sys.argv[5] == "convolutions":
        torch.set_num_threads(threads)
        print(convolutions_alone(images, batch, epochs))
        return
    layout = torch.channels_last if sys.argv[5] == "channels-last" else torch.contiguous_format
    torch.set_num_threads(threads)
    model = network().to(memory_format=layout)
    pixels = torch.randint(0, 256, (images, 3, 32, 32), dtype=torch.uint8)
    labels = (torch.rand(images, 1) < 0.1).float()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=5e-8)
    loss = torch.nn.BCEWithLogitsLoss()
    times = []
    for _ in range(epochs):
        start = time.perf_counter()
        order = torch.randperm(images)
        for first in range(0, images, batch):
            rows = order[first:first + batch]
            x = pixels[rows].to(memory_format=layout).float().div_(255)
            optimizer.zero_grad(set_to_none=True)
            loss(model(x), labels[rows]).backward()
            optimizer.step()
        times.append(time.perf_counter() - start)
    print(images / min(times[1:]))


if __name__ == "__main__":
    main()
