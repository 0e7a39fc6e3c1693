# Relations in documents: training, testing, predicting and explaining on small made-up documents; stopping and going on.
. "$(dirname "$0")/lib.sh"

# write_documents FIRST COUNT FILE: documents about a person, a city and two countries, told apart by few words.
write_documents() {
  jq -n --argjson first "$1" --argjson count "$2" '[range($first; $first + $count) as $i
    | ("p\($i % 7)") as $p | ("c\($i % 5)") as $c | ("k\($i % 3)") as $k | ("k\(($i + 1) % 3)") as $l
    | {title: "document \($i)",
       sents: [[$p, "was", "born", "in", $c, "."], [$c, "is", "a", "city", "in", $k, "."], [$p, "likes", $l, "."]],
       vertexSet: [[{name: $p, sent_id: 0, pos: [0, 1], type: "PER"}, {name: $p, sent_id: 2, pos: [0, 1], type: "PER"}],
                   [{name: $c, sent_id: 0, pos: [4, 5], type: "LOC"}, {name: $c, sent_id: 1, pos: [0, 1], type: "LOC"}],
                   [{name: $k, sent_id: 1, pos: [5, 6], type: "LOC"}], [{name: $l, sent_id: 2, pos: [2, 3], type: "LOC"}]],
       labels: [{h: 0, t: 1, r: "P19", evidence: [0]}, {h: 1, t: 2, r: "P17", evidence: [1]},
                {h: 0, t: 2, r: "P27", evidence: [0, 1]}]}]' >"$3"
}
write_documents 0 30 train.json
write_documents 100 10 dev.json
write_documents 200 10 test.json
cp test.json second.json
echo '{"Na": 0, "P17": 1, "P19": 2, "P27": 3}' >rel2id.json
mkdir vocabulary
printf '%s\n' '[PAD]' '[UNK]' '[CLS]' '[SEP]' '*' . was born in is a city likes p{0..6} c{0..4} k{0..2} >vocabulary/vocab.txt
files="--task documents --relations rel2id.json --tokeniser vocabulary --device cpu"
base="$files --train train.json --encoder-preset tiny --batch 4 --dropout 0.05 --lr 0.003 --pretrain-lr 0.003 --threads 1 --quiet"

# Complete labels are learned, and several test files are reported on.
expect 0 "$mlpac" train $base --method negative --epochs 12 --dev dev.json --test test.json,second.json --out runs/complete
json runs/complete/result.json '.test.f1 > 80 and .reports.test.f1 == .test.f1 and .reports.second.f1 == .test.f1'
json runs/complete/result.json '.reports.test | .ign.f1 >= 0 and .evidence.f1 > 0 and .relations.P17.positives == 10'
expect 0 "$mlpac" evaluate runs/complete --data test.json --json --device cpu
json out '.f1 > 80 and .report.relations.P19.positives == 10'

expect 0 "$mlpac" info runs/complete
says out "network    dreeam, "

# Predictions in the official form, and one document for people.
expect 0 "$mlpac" predict runs/complete --data test.json --out result.json --device cpu
json result.json 'length > 0 and all(.[]; .title != null and (.h_idx | type) == "number" and (.r | startswith("P")))'
expect 0 "$mlpac" predict runs/complete --data test.json --explain "document 203" --device cpu
says out "[1] c3 is a city in k2 ."
says out "-- P17 ->"
echo '{"P17": "country"}' >rel_info.json
expect 0 "$mlpac" predict runs/complete --data test.json --explain "document 203" --device cpu
says out "-- P17 (country) ->"
says out "-- P19 ->"
rm rel_info.json
expect 1 "$mlpac" predict runs/complete --data test.json --explain "document 999" --device cpu
says err "no document of test.json has the title 'document 999'"

# Fusion reads the sentences of evidence alone, too; what it accepts is chosen on documents that are named.
expect 0 "$mlpac" predict runs/complete --data test.json --fusion dev.json --out fused.json --device cpu
says err "fusion:"
json fused.json 'length >= 20 and all(.[]; .title != null)'
expect 1 "$mlpac" predict runs/complete --data test.json --fusion nowhere.json --device cpu
says err "nowhere.json"

# A pre-trained encoder in a folder as hubs have it: the encoder that was just trained, with a head that is not needed.
mkdir hub
jq '.architecture.encoder' runs/complete/model.json >hub/config.json
python3 "$(dirname "$0")/encoder_folder.py" runs/complete/model.safetensors hub/model.safetensors
hub="${base/--encoder-preset tiny/--encoder hub} --method negative --epochs 1"
expect 0 "$mlpac" train ${hub/--lr 0.003/--lr 0} --out runs/frozen
python3 "$(dirname "$0")/encoder_folder.py" runs/frozen/model.safetensors frozen.safetensors
cmp hub/model.safetensors frozen.safetensors || fail "training does not begin with the weights of --encoder"
expect 0 "$mlpac" train $hub --test test.json --out runs/tuned
json runs/tuned/result.json '.test.f1 > 50'  # one epoch: the encoder knows these words
jq '.num_hidden_layers = 3' hub/config.json >config && mv config hub/config.json
expect 1 "$mlpac" train $hub --out never
says err "encoder.layer.2"
rm hub/model.safetensors
cp hub/config.json deeper.json && jq '.num_hidden_layers = 2' deeper.json >hub/config.json
python3 "$(dirname "$0")/encoder_folder.py" runs/complete/model.safetensors hub/pytorch_model.bin
expect 0 "$mlpac" train $hub --test test.json --out runs/torch
cmp runs/tuned/model.safetensors runs/torch/model.safetensors || fail "pytorch_model.bin gives another model"
rm hub/pytorch_model.bin
expect 1 "$mlpac" train $hub --out never
says err "neither model.safetensors nor pytorch_model.bin"

# A store of documents stands for its file.
expect 0 "$mlpac" pack train.json ${files% --device*} --out train.store
expect 0 "$mlpac" pack dev.json ${files% --device*} --out dev.store
expect 0 "$mlpac" pack test.json --task documents --tokeniser vocabulary --like train.store --out test.store
half="--method pos-weight --ratio 0.5 --epochs 2"
expect 0 "$mlpac" train $base $half --dev dev.json --test test.json --out runs/half
expect 0 "$mlpac" train ${base/train.json/train.store} $half --dev dev.store --test test.store --out runs/packed
cmp runs/half/model.safetensors runs/packed/model.safetensors || fail "a store of documents gives another model"
[ "$(jq -c '[.test, .reports.test]' runs/half/result.json)" = "$(jq -c '[.test, .reports.test]' runs/packed/result.json)" ] ||
  fail "a store of documents gives other scores"
expect 0 "$mlpac" predict runs/packed --data test.json --device cpu && mv out want
expect 0 "$mlpac" predict runs/packed --data test.store --device cpu
cmp want out || fail "predicting a store of documents gives other triples"
expect 0 "$mlpac" predict runs/packed --data test.store --explain "document 203" --device cpu
says out "[1] c3 is a city in k2 ."
echo '{"Na": 0, "P17": 2, "P19": 1, "P27": 3}' >other.json
other=${base/train.json/train.store}
expect 1 "$mlpac" train ${other/rel2id/other} --out never
says err "other relations"

# Half of the triples: every kind of method runs, and its options reach the network.
for method in mlpac pos-weight neg-weight ssr-pu p3m self-training; do
  expect 0 "$mlpac" train $base --method $method --ratio 0.5 --epochs 1 --pretrain-epochs 1 --candidates 2 --test test.json \
    --out runs/$method
  json runs/$method/result.json '.test.f1 >= 0 and .reports.test.ign.f1 >= 0'
done
says runs/ssr-pu/config.toml 'document-model = "atlop"'
says runs/p3m/config.toml 'pair-head = "metric"'
json runs/mlpac/model.json '.architecture.layers == 3 and .decision.threshold_class and .decision.cap == 4 and .hiding.ratio == 0.5'
expect 0 "$mlpac" predict runs/mlpac --data train.json --explain "document 3" --device cpu
says out "of them annotated"

# The original, incomplete labels of the same documents in a file of their own.
jq '[.[] | {title, docred_labels: [[.labels[0].h, .labels[0].t, .labels[0].r]]}]' train.json >original.json
expect 0 "$mlpac" train $base --targets original.json --method negative --epochs 1 --test test.json --out runs/natural
json runs/natural/result.json '.ratio == null'

# Stopped and continued is the same as never stopped, with an encoder for each or one for all.
for share in false true; do
  again="train $base --ratio 0.5 --method mlpac --epochs 3 --pretrain-epochs 3 --candidates 2 --share-encoder=$share --out"
  expect 0 "$mlpac" $again runs/whole-$share
  "$mlpac" $again runs/stopped-$share >out 2>err &
  pid=$!
  for _ in $(seq 400); do [ -s runs/stopped-$share/metrics.jsonl ] && break; sleep 0.02; done
  kill -INT $pid || fail "it ended before it could be stopped"
  wait $pid && fail "it was not stopped" || true
  expect 0 "$mlpac" train --resume --out runs/stopped-$share --quiet
  cmp runs/whole-$share/model.safetensors runs/stopped-$share/model.safetensors ||
    fail "another model after stopping and going on"
done
cmp -s runs/whole-false/model.safetensors runs/whole-true/model.safetensors && fail "--share-encoder changes nothing"

# What is wrong is named.
expect 2 "$mlpac" train --task documents --train train.json --out r
says err "--relations is needed"
small data
expect 2 "$mlpac" train --train data/train.arff --labels data/labels.xml --share-encoder --out r
says err "has no encoder"
expect 2 "$mlpac" train $base --network mlp --out r
says err "it does not read documents"
expect 2 "$mlpac" train $files --train train.json --encoder-preset huge --out r
says err "unknown encoder preset"
expect 1 "$mlpac" train $base --encoder . --out r
says err "config.json: not there"
expect 1 "$mlpac" train $base --ratio 0.001 --out r
says err "stays annotated; raise it"
jq '.[2].vertexSet[0][0].pos = [4, 99]' train.json >bad.json
expect 1 "$mlpac" train $files --train bad.json --out r
says err "document 2"
echo '{"model_type": "bert", "vocab_size": 3}' >config.json
expect 1 "$mlpac" train $base --encoder . --out r
says err "the vocabulary of --tokeniser has"
[ ! -e r ] || fail "a folder was left"
