# Images with labels, as people use them: lists and folders, options, errors that name their culprit, sheets, weights.
. "$(dirname "$0")/lib.sh"

# Pictures of 16 pixels, brighter in each colour that they are labelled with, as PNG, in COCO's layout and as a list.
python3 - <<'EOF'
import json, os, random, struct, zlib
NAMES = ["red", "green", "blue"]
def png(path, number, draws):
    side, rows = 16, b""
    for y in range(side):
        rows += b"\0"
        for x in range(side):
            rows += bytes(60 + draws.randrange(60) + (110 if number >> c & 1 else 0) for c in range(3))
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
os.makedirs("set/annotations")
draws = random.Random(1)
for split, count in (("train", 96), ("test", 32)):
    os.makedirs(f"set/{split}")
    images, annotations, lines = [], [], ["file,labels"]
    for i in range(count):
        png(f"set/{split}/{i:03d}.png", i, draws)
        images.append({"id": i, "file_name": f"{i:03d}.png"})
        labels = [c for c in range(3) if i >> c & 1]
        annotations += [{"id": 10 * i + c, "image_id": i, "category_id": c + 1} for c in labels]
        lines.append(f"{split}/{i:03d}.png,{' '.join(NAMES[c] for c in labels)}")
    categories = [{"id": c + 1, "name": name} for c, name in enumerate(NAMES)]
    json.dump({"images": images, "annotations": annotations, "categories": categories},
              open(f"set/annotations/instances_{split}.json", "w"))
    open(f"set/{split}.csv", "w").write("\n".join(lines) + "\n")
EOF
coco="--task images --train set/annotations/instances_train.json --test set/annotations/instances_test.json"
# Whoever says TRUE always has an F1 of 67.
fast="--network cnn13 --image-size 6 --batch 16 --ema 0 --schedule linear --lr 0.001 --device cpu --threads 2 --quiet"

# From annotations to a model that is right about most of the test, and applied to lists and folders.
expect 0 "$mlpac" train $coco --ratio 0.6 --out run --method pos-weight --epochs 8 --threshold auto $fast
json run/result.json '.test.f1 > 80 and .data.train.images == 96 and .data.train.skipped_images == 0'
expect 0 "$mlpac" info run
says out "cnn13, images of 6 pixels, 3 labels"
says out "60 % of the positives kept"
expect 0 "$mlpac" evaluate run --data set/annotations/instances_test.json --json
json out '.f1 > 80 and (.classes | length) == 3 and .classes.red.ap > 0'
expect 0 "$mlpac" predict run --data set/test
[ "$(wc -l <out)" = 32 ] || fail "not every picture of the folder has a line"
head -1 out | jq -e '.id == "000.png"' >/dev/null || fail "pictures are named by their file"
expect 0 "$mlpac" predict run --data set/test.csv --sheet sheet.html --sheet-images 5 --out p.csv
[ "$(grep -c '<figure' sheet.html)" = 5 ] || fail "--sheet-images 5 shows another number"
says sheet.html 'only pictures where they differ'
says sheet.html 'data:image/jpeg;base64,'
grep -qE '(src|href)="(http|/)' sheet.html && fail "the sheet needs other files"

# Streamed images, any number of threads and an interruption give the same bits; waiting is logged.
streamed="$coco --ratio 0.6 --cutout 0.4 --rand-augment --method pos-weight --epochs 3 --network cnn13 --image-size 6 --batch 16 --device cpu --quiet"
expect 0 "$mlpac" train $streamed --out kept --threads 1
"$mlpac" train $streamed --out cut --threads 3 --image-memory 0 >/dev/null 2>&1 &
for _ in $(seq 400); do [ -s cut/metrics.jsonl ] && break; sleep 0.02; done
kill -TERM $! 2>/dev/null || true
wait $! || true
expect 0 "$mlpac" train $streamed --out cut --threads 2 --image-memory 0 --resume
cmp kept/model.safetensors cut/model.safetensors || fail "streaming, threads or an interruption change the result"
json cut/metrics.jsonl '.data_wait >= 0'

# A store of images stands for its files: kept in memory and decoded whenever they are used.
expect 0 "$mlpac" pack set/annotations/instances_train.json --task images --out train.store
says out "96 images"
expect 0 "$mlpac" pack set/annotations/instances_test.json --task images --like train.store --out test.store
packed="${streamed/$coco/--task images --train train.store --test test.store}"
for memory in 0 2048; do
  expect 0 "$mlpac" train $packed --out packed-$memory --threads 2 --image-memory $memory
  cmp kept/model.safetensors packed-$memory/model.safetensors || fail "a store of images gives another model"
  [ "$(jq -c .test kept/result.json)" = "$(jq -c .test packed-$memory/result.json)" ] || fail "a store of images gives other scores"
done
expect 0 "$mlpac" predict run --data set/annotations/instances_test.json --all && mv out want
expect 0 "$mlpac" predict run --data test.store --all
cmp want out || fail "predicting a store of images gives other numbers"
expect 0 "$mlpac" pack set/test --task images --like run --out unlabelled.store
expect 0 "$mlpac" predict run --data unlabelled.store --sheet sheet2.html --sheet-images 3
expect 1 "$mlpac" evaluate run --data unlabelled.store
expect 2 "$mlpac" train $packed --keep-unlabelled false --out never
says err "--keep-unlabelled"
expect 0 "$mlpac" pack --check train.store

# Pixels of class folders: one category against the others.
mkdir -p classes/bright classes/dark
for i in $(seq -w 0 31); do cp set/train/0$i.png classes/$([ $((10#$i % 2)) = 1 ] && echo bright || echo dark)/; done
pu="--task binary-pu --positive bright --ratio 0.6 --method negative --epochs 2 --batch 8 --device cpu --threads 2 --quiet"
expect 0 "$mlpac" pack classes --task binary-pu --out classes.store
expect 0 "$mlpac" pack classes --task binary-pu --like classes.store --out more.store
expect 0 "$mlpac" train $pu --train classes --test classes --out pu
for memory in 0 2048; do
  expect 0 "$mlpac" train $pu --train classes.store --test more.store --image-memory $memory --out pu-$memory
  cmp pu/model.safetensors pu-$memory/model.safetensors || fail "a store of pixels gives another model"
  [ "$(jq -c .test pu/result.json)" = "$(jq -c .test pu-$memory/result.json)" ] || fail "a store of pixels gives other scores"
done

# What cannot be used is named; or left out, named and counted.
bad() { # bad TEXT ARGUMENTS...
  local text=$1
  shift
  expect 1 "$mlpac" train --task images "$@" --out bad $fast
  says err "$text"
  [ ! -e bad ] || fail "a failed start left a folder"
}
bad "nothing.json" --train nothing.json
head -c 60 set/train/007.png >cut.png && mv cut.png set/train/007.png
bad "007.png" --train set/train.csv
rm set/train/008.png
jq '.annotations[0].category_id = 77 | .images[9].id = 8' set/annotations/instances_train.json >odd.json
bad "used before" --train odd.json --images set/train
expect 0 "$mlpac" train --task images --train odd.json --images set/train --hide fixed:20 --on-error skip --out skipped ${fast/--quiet/} \
  --method negative --epochs 1
for text in 007.png 008.png 77 "were left out"; do says err "$text"; done
json skipped/result.json '.data.train.skipped_images >= 3 and .data.train.skipped_annotations >= 1 and .data.train.images <= 93'

# Weights of others: the last layer is new unless it fits, and everything else must fit.
tiny="--task images --train set/test.csv --ratio 0.6 $fast --epochs 1 --method negative"
expect 1 "$mlpac" train ${tiny/cnn13/resnet18} --init run/model.safetensors --out r
for text in "missing" "not part of the network" "of another shape" conv1.weight; do says err "$text"; done
if /usr/bin/python3 -c 'import torch' 2>/dev/null; then
  /usr/bin/python3 - run/model.safetensors <<'EOF'
import json, struct, sys, torch
# Our file with the format's own rules, and then as a checkpoint of a wrapped network with another head.
data = open(sys.argv[1], "rb").read()
size = struct.unpack("<Q", data[:8])[0]
header = json.loads(data[8:8 + size])
types = {"F32": torch.float32, "I64": torch.int64}
state = {}
for name, entry in header.items():
    if name == "__metadata__":
        continue
    first, last = entry["data_offsets"]
    raw = bytearray(data[8 + size + first:8 + size + last])
    state[name] = torch.frombuffer(raw, dtype=types[entry["dtype"]]).reshape(entry["shape"])
assert state["conv1.weight"].shape == (96, 3, 3, 3), state["conv1.weight"].shape
assert state["l3.weight"].shape == (3, 1000)
state["l3.weight"], state["l3.bias"] = torch.zeros(7, 1000), torch.zeros(7)
torch.save({"epoch": 3, "state_dict": {f"module.{name}": value for name, value in state.items()}}, "wrapped.pth")
EOF
  expect 0 "$mlpac" train ${tiny/--quiet/} --init wrapped.pth --out from-torch
  says err "all but the last layer (l3) are taken over"
else
  echo "python3-torch is not installed: weights are not exchanged with it" >&2
fi
