# Suggestions, review and repaired copies of images and documents; training with decisions.
. "$(dirname "$0")/lib.sh"

# serve OPTIONS...: starts a review, with its address in $address.
serve() {
  rm -f address
  "$mlpac" review "$@" >address 2>err &
  pid=$!
  for _ in $(seq 400); do
    if [ -s address ] || ! kill -0 $pid 2>/dev/null; then break; fi
    sleep 0.02
  done
  address=$(cat address)
}
get() { python3 -c 'import sys, urllib.request as u; sys.stdout.buffer.write(u.urlopen(sys.argv[1]).read())' "$address$1"; }
decide() { # VERDICT NUMBER...
  local verdict=$1
  shift
  for at in "$@"; do
    python3 -c 'import sys, urllib.request as u; u.urlopen(sys.argv[1], sys.argv[2].encode()).read()' "${address}decide" \
      "{\"at\":$at,\"verdict\":\"$verdict\"}" || fail "decision $at: $(cat err)"
  done
}
end() {
  kill -INT $pid
  wait $pid || fail "the review ended badly: $(cat err)"
}

# Pictures of 8 pixels, brighter in each colour that they are labelled with; half of the labels are given.
python3 - <<'EOF'
import json, os, random, struct, zlib
NAMES = ["red", "green", "blue"]
os.makedirs("pictures")
draws = random.Random(1)
images, annotations, lines = [], [], ["file,labels"]
for i in range(48):
    rows = b"".join(b"\0" + bytes(60 + draws.randrange(60) + (110 if i >> c & 1 else 0) for _ in range(8) for c in range(3)) for _ in range(8))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    with open(f"pictures/{i:03d}.png", "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    images.append({"id": 100 + i, "file_name": f"{i:03d}.png"})
    labels = [c for c in range(3) if i >> c & 1 and draws.random() < 0.5]
    annotations += [{"id": 10 * i + c, "image_id": 100 + i, "category_id": c + 1, "bbox": [0, 0, 1, 1]} for c in labels]
    lines.append(f"{i:03d}.png,{' '.join(NAMES[c] for c in labels)}")
json.dump({"images": images, "annotations": annotations, "categories": [{"id": c + 1, "name": name} for c, name in enumerate(NAMES)]}, open("coco.json", "w"))
open("list.csv", "w").write("\n".join(lines) + "\n")
EOF
quick="--method pos-weight --network cnn13 --image-size 8 --batch 16 --ema 0 --epochs 1 --parts 2 --device cpu --quiet"
expect 0 "$mlpac" suggest --task images --train coco.json --images pictures $quick --limit 20 --out s.jsonl --apply all.json
json all.json '(.annotations | length) == '"$(($(jq '.annotations | length' coco.json) + 20))"' and (.images | length) == 48'
jq -es 'all(.id | tonumber >= 100)' s.jsonl >/dev/null || fail "images are not named by their ids"
serve s.jsonl --data coco.json --images pictures
grep -q "built without cpp-httplib" err && { echo "skipped: the program was built without cpp-httplib"; exit 0; }
get "item?at=3" >item
json item '.item.instance.kind == "image" and (.item.annotated | type) == "array"'
get "picture?at=3" | cmp - "pictures/$(jq -r .item.instance.file item)" || fail "another picture"
decide accept 0 1 2
decide reject 3 4
end
expect 0 "$mlpac" review s.jsonl --data coco.json --images pictures --export better.json
jq -e --slurpfile old coco.json --slurpfile s s.jsonl '.annotations as $all | ($old[0].annotations | length) as $n
  | $all[:$n] == $old[0].annotations and ($all[$n:] | map([(.image_id | tostring), .category_id])) ==
    [$s[0:3][] | [.id, ({"red": 1, "green": 2, "blue": 3})[.label]]] and ($all | map(.id) | length == (unique | length))' better.json >/dev/null ||
  fail "the copy of COCO has other annotations"
expect 0 "$mlpac" train --task images --train coco.json --images pictures ${quick/--parts 2/} --decisions s.jsonl.decisions.jsonl --out run
expect 0 "$mlpac" suggest run --data list.csv --images pictures --limit 5 --out t.csv --apply all.csv --device cpu
[ "$(($(tr ' ' '\n' <all.csv | wc -l) - $(tr ' ' '\n' <list.csv | wc -l)))" -le 5 ] || fail "more labels than suggestions"
cmp -s all.csv list.csv && fail "no label was added"

# Documents about a person, a city and two countries, with half of their relations.
jq -n '[range(16) as $i | ("p\($i % 7)") as $p | ("c\($i % 5)") as $c | ("k\($i % 3)") as $k | ("k\(($i + 1) % 3)") as $l
  | {title: "on/\($i)",
     sents: [[$p, "was", "born", "in", $c, "."], [$c, "is", "a", "city", "in", $k, "."], [$p, "likes", $l, "."]],
     vertexSet: [[{name: $p, sent_id: 0, pos: [0, 1], type: "PER"}, {name: $p, sent_id: 2, pos: [0, 1], type: "PER"}],
                 [{name: $c, sent_id: 0, pos: [4, 5], type: "LOC"}, {name: $c, sent_id: 1, pos: [0, 1], type: "LOC"}],
                 [{name: $k, sent_id: 1, pos: [5, 6], type: "LOC"}], [{name: $l, sent_id: 2, pos: [2, 3], type: "LOC"}]],
     labels: ([{h: 0, t: 1, r: "P19", evidence: [0]}, {h: 1, t: 2, r: "P17", evidence: [1]}] | .[$i % 2:])}]' >train.json
echo '{"Na": 0, "P17": 1, "P19": 2, "P27": 3}' >rel2id.json
mkdir vocabulary
printf '%s\n' '[PAD]' '[UNK]' '[CLS]' '[SEP]' '*' . was born in is a city likes p{0..6} c{0..4} k{0..2} >vocabulary/vocab.txt
files="--task documents --train train.json --relations rel2id.json --tokeniser vocabulary"
quick="--method negative --encoder-preset tiny --batch 4 --epochs 1 --device cpu --threads 1 --quiet"
expect 0 "$mlpac" suggest $files $quick --parts 2 --limit 12 --out d.jsonl --apply all-documents.json
[ "$(jq '[.[].labels[]] | length' all-documents.json)" = $(($(jq '[.[].labels[]] | length' train.json) + 12)) ] || fail "not 12 more triples"
serve d.jsonl --data train.json --relations rel2id.json
get "item?at=0" >item
json item '.item.instance.kind == "document" and (.item.instance.sentences | length) == 3 and .item.instance.head.name != ""'
decide accept 0 5
decide reject 1
end
expect 0 "$mlpac" review d.jsonl --data train.json --relations rel2id.json --export better-documents.json
jq -e --slurpfile old train.json --slurpfile s d.jsonl '
  [to_entries[] | .value as $d | ($d.labels - $old[0][.key].labels)[] | "\($d.title)/\(.h)/\(.t) \(.r)"] ==
  ([$s[0, 5] | "\(.id) \(.label)"] | sort_by(split("/")[1] | tonumber))' better-documents.json >/dev/null ||
  fail "the copy has other triples: $(jq -c '[.[].labels | length]' better-documents.json)"
expect 2 "$mlpac" review d.jsonl --data train.json
says err "--relations is needed"
expect 0 "$mlpac" train $files $quick --decisions d.jsonl.decisions.jsonl --out run-documents
expect 0 "$mlpac" suggest run-documents --data train.json --limit 1000 --rank score --out e.jsonl --device cpu
jq -es 'map(.id) | all(startswith("on/"))' e.jsonl >/dev/null || fail "pairs are not named"

# Training with decisions about a table: decided entries are not suggested again, those that were skipped are.
python3 "$(dirname "$0")/review_data.py" made 300 >/dev/null
line() { sed -n "$(($1 + 1))p" made/list.csv; }
serve made/list.csv --data made/data.csv --label-list topics --id ticket
decide accept 0 3 6
decide reject 1
decide skip 2
end
journal=made/list.csv.decisions.jsonl
quick="--epochs 2 --pretrain-epochs 2 --widths 8 --batch 32 --candidates 2 --device cpu --quiet"
expect 0 "$mlpac" train --train made/data.csv --label-list topics --id ticket $quick --decisions $journal --out run-table
grep -q "^decisions = \"$journal\"" run-table/config.toml || fail "the decisions are not part of the configuration"
expect 0 "$mlpac" suggest --train made/data.csv --label-list topics --id ticket $quick --parts 2 --decisions $journal \
  --limit 100000 --rank score --out again.csv
cut -d, -f3,4 again.csv >pairs
for rank in 1 2 4 7; do
  pair=$(line $rank | cut -d, -f3,4)
  if grep -qxF "$pair" pairs; then fail "$pair was decided and is suggested again"; fi
done
pair=$(line 3 | cut -d, -f3,4)
grep -qxF "$pair" pairs || fail "$pair was skipped and is not suggested again"
expect 1 "$mlpac" train --train made/data.csv --label-list topics --id ticket $quick --decisions made/data.csv --out run2
says err "made/data.csv:1: "
