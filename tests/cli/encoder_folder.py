"""The encoder of a run as hubs store it: names begin with the kind of the model, and a head comes along.

Usage: encoder_folder.py RUN/model.safetensors OUT    OUT: NAME.safetensors, or NAME.bin as torch.save writes it
"""
import collections
import io
import json
import pickle
import struct
import sys
import types
import zipfile


def read(source):
    with open(source, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        payload = file.read()
    for name, entry in sorted(header.items()):
        if name.startswith("model."):
            begin, end = entry["data_offsets"]
            yield "bert." + name.removeprefix("model."), entry["shape"], payload[begin:end]
    yield "cls.predictions.bias", [2], bytes(8)


def write_safetensors(tensors, out):
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, shape, data in tensors:
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(out, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(data for _, _, data in tensors))


def stand_in(module, name):
    """Something that is pickled as module.name: PyTorch itself is not needed."""
    made = type(name, (), {"__module__": module})
    home = sys.modules.setdefault(module, types.ModuleType(module))
    setattr(home, name, made)
    return made


class Tensor:
    def __init__(self, rebuild, key, shape, count):
        self.rebuild, self.key, self.shape, self.count = rebuild, key, shape, count

    def __reduce__(self):
        strides = [1]
        for size in reversed(self.shape[1:]):
            strides.insert(0, strides[0] * size)
        return self.rebuild, (Storage(self.key, self.count), 0, tuple(self.shape), tuple(strides), False,
                              collections.OrderedDict())


class Storage:
    def __init__(self, key, count):
        self.key, self.count = key, count


def write_torch(tensors, out):
    rebuild = stand_in("torch._utils", "_rebuild_tensor_v2")
    floats = stand_in("torch", "FloatStorage")

    class Pickler(pickle.Pickler):
        def persistent_id(self, item):
            return ("storage", floats, item.key, "cpu", item.count) if isinstance(item, Storage) else None

    content = collections.OrderedDict(
        (name, Tensor(rebuild, str(i), shape, len(data) // 4)) for i, (name, shape, data) in enumerate(tensors))
    text = io.BytesIO()
    Pickler(text, protocol=2).dump(content)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("archive/data.pkl", text.getvalue())
        for i, (_, _, data) in enumerate(tensors):
            archive.writestr(f"archive/data/{i}", data)
        archive.writestr("archive/version", "3\n")


if __name__ == "__main__":
    (write_torch if sys.argv[2].endswith(".bin") else write_safetensors)(list(read(sys.argv[1])), sys.argv[2])
