#!/usr/bin/python3
"""Trains CNN-13 in negative mode with eager PyTorch on random images and prints images per second (used by bench/images).

Usage: bench/eager_cnn13.py IMAGES BATCH EPOCHS THREADS nchw|channels-last
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


def main():
    images, batch, epochs, threads = map(int, sys.argv[1:5])
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
