#!/usr/bin/python3
"""The input pipeline of the published code for COCO with Pillow: open, resize, cut-out, RandAugment, tensor in [0, 1].

Usage: bench/pil_pipeline.py FOLDER SIZE BATCH EPOCHS PROCESSES. Prints images per second of the fastest epoch (used by
bench/pipeline). Processes, not threads: Python's threads would wait for each other.
"""
import multiprocessing
import pathlib
import random
import sys
import time

import numpy
from PIL import Image, ImageDraw, ImageEnhance, ImageOps

GREY = (128, 128, 128)


def affine(image, matrix, resample=Image.NEAREST):
    return image.transform(image.size, Image.AFFINE, matrix, resample, fillcolor=GREY)


def enhance(kind):
    return lambda image, m: kind(image).enhance(1 + m * random.choice([-1, 1]))


def cut(image, m):
    return square(image, round(m), (125, 122, 113))


def square(image, side, colour):
    x, y = random.uniform(0, image.width), random.uniform(0, image.height)
    left, top = int(max(0, x - side / 2)), int(max(0, y - side / 2))
    ImageDraw.Draw(image).rectangle((left, top, min(image.width, left + side), min(image.height, top + side)), colour)
    return image


def sign():
    return random.choice([-1, 1])


# Each operation with the largest and smallest magnitude of its ten levels, as the package `randaugment` has them.
OPERATIONS = [
    (lambda image, m: ImageOps.invert(image), 0, 0), (cut, 0, 20), (enhance(ImageEnhance.Sharpness), 0, 0.9),
    (lambda image, m: ImageOps.autocontrast(image), 0, 0), (lambda image, m: ImageOps.posterize(image, round(m)), 8, 4),
    (lambda image, m: affine(image, (1, m * sign(), 0, 0, 1, 0), Image.BICUBIC), 0, 0.3),
    (lambda image, m: affine(image, (1, 0, m * image.width * sign(), 0, 1, 0)), 0, 150 / 331),
    (lambda image, m: affine(image, (1, 0, 0, 0, 1, m * image.height * sign())), 0, 150 / 331),
    (lambda image, m: affine(image, (1, 0, 0, m * sign(), 1, 0), Image.BICUBIC), 0, 0.3),
    (lambda image, m: image.rotate(m, fillcolor=GREY), 0, 30), (lambda image, m: ImageOps.equalize(image), 0, 0),
    (enhance(ImageEnhance.Contrast), 0, 0.9), (enhance(ImageEnhance.Color), 0, 0.9),
    (lambda image, m: ImageOps.solarize(image, m), 256, 0), (enhance(ImageEnhance.Brightness), 0, 0.9)]


def prepared(path, size):
    image = Image.open(path).convert("RGB").resize((size, size), Image.BILINEAR)
    image = square(image, int(0.5 * size + 0.5), tuple(random.randrange(256) for _ in range(3)))
    for operation, low, high in random.choices(OPERATIONS, k=2):
        if random.random() < 0.5:
            image = operation(image, low + (high - low) * random.randint(1, 9) / 9)
    return numpy.asarray(image)


def batch_of(arguments):
    """One batch, as a worker of a data loader makes it: what is sent back are bytes."""
    paths, size = arguments
    return numpy.stack([prepared(path, size) for path in paths])


def main():
    size, batch, epochs, processes = map(int, sys.argv[2:6])
    paths = sorted(pathlib.Path(sys.argv[1]).rglob("*.jpg"))
    best = 0
    with multiprocessing.Pool(processes) as pool:
        for _ in range(epochs):
            start = time.perf_counter()
            parts = [(paths[i:i + batch], size) for i in range(0, len(paths), batch)]
            for pixels in pool.imap(batch_of, parts):
                pixels.astype(numpy.float32) * numpy.float32(1 / 255)
            best = max(best, len(paths) / (time.perf_counter() - start))
    print(best)


if __name__ == "__main__":
    main()
