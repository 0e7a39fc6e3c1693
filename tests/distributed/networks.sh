# Networks whose rows depend on each other: batch norm sees the images of all processes, and documents differ in how many
# rows they cover.
. "$(dirname "$0")/lib.sh"

python3 - <<'PYTHON'
import os, random, struct, zlib
NAMES = ["red", "green", "blue"]
draws = random.Random(1)
def png(path, number):
    rows = b"".join(b"\0" + bytes(60 + draws.randrange(60) + (110 if number >> c & 1 else 0) for _ in range(16) for c in range(3)) for _ in range(16))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
for split, count in (("train", 60), ("test", 16)):
    os.makedirs(f"set/{split}")
    lines = ["file,labels"]
    for i in range(count):
        png(f"set/{split}/{i:03d}.png", i)
        lines.append(f"{split}/{i:03d}.png,{' '.join(NAMES[c] for c in range(3) if i >> c & 1)}")
    open(f"set/{split}.csv", "w").write("\n".join(lines) + "\n")
PYTHON
# One step per epoch, on 45 images. Adam divides small gradients by themselves: a larger epsilon keeps it from making more of the
# rounding, by which one and two threads differ, too.
images="train --task images --train set/train.csv --test set/test.csv --ratio 0.6 --network cnn13 --image-size 6 --batch 64 --validation 0.25 --ema 0 --schedule linear --lr 0.0003 --eps 1e-4 --device cpu --quiet"
predict() { expect 0 "$mlpac" predict images.$1 --data set/test.csv --all --device cpu --out predicted.$1.csv; }
expect 0 "$mlpac" $images --method pos-weight --epochs 3 --out images.1
predict 1
for size in 2 4; do
  together $size $images --method pos-weight --epochs 3 --out images.$size
  predict $size
  same images.1 images.$size 1e-5 predicted.1.csv predicted.$size.csv
done

# Every other document has one pair of entities more; nothing is dropped, because encoders drop by batch, not by row.
jq -n '[range(24) as $i | ("p\($i % 7)") as $p | ("c\($i % 5)") as $c | ("k\($i % 3)") as $k
  | {title: "document \($i)", sents: [[$p, "was", "born", "in", $c, "."], [$c, "is", "a", "city", "in", $k, "."]],
     vertexSet: ([[{name: $p, sent_id: 0, pos: [0, 1], type: "PER"}], [{name: $c, sent_id: 0, pos: [4, 5], type: "LOC"}]]
       + if $i % 2 == 0 then [[{name: $k, sent_id: 1, pos: [5, 6], type: "LOC"}]] else [] end),
     labels: [{h: 0, t: 1, r: "P19", evidence: [0]}]}]' >documents.json
echo '{"Na": 0, "P17": 1, "P19": 2}' >rel2id.json
mkdir vocabulary
printf '%s\n' '[PAD]' '[UNK]' '[CLS]' '[SEP]' '*' . was born in is a city p{0..6} c{0..4} k{0..2} >vocabulary/vocab.txt
documents="train --task documents --relations rel2id.json --tokeniser vocabulary --train documents.json --test documents.json --encoder-preset tiny --batch 5 --dropout 0 --lr 0.001 --epochs 2 --ratio 0.7 --device cpu --quiet"
for method in negative ssr-pu; do
  expect 0 "$mlpac" $documents --method $method --out $method.1
  together 3 $documents --method $method --out $method.3
  same $method.1 $method.3
done
