# mlpac pack: a store stands for the data it was made from, whatever it is; damage and full disks are reported.
. "$(dirname "$0")/lib.sh"
small data
from_arff="--labels data/labels.xml"

# same A B: two runs went through the same numbers to the same model.
same() {
  cmp "$1/model.safetensors" "$2/model.safetensors" || fail "$2: another model than $1"
  diff <(jq -c 'del(.seconds, .data_wait)' "$1/metrics.jsonl") <(jq -c 'del(.seconds, .data_wait)' "$2/metrics.jsonl") || fail "$2: other numbers than $1"
  diff <(jq 'del(.seconds, .peak_memory_mb)' "$1/result.json") <(jq 'del(.seconds, .peak_memory_mb)' "$2/result.json") ||
    fail "$2: another result than $1"
  cmp "$1/model.json" "$2/model.json" || fail "$2: another description than $1"
}

# Dense rows: training, hiding, evaluation, prediction, suggestions; mapped (--row-memory 0) and loaded.
expect 0 "$mlpac" pack data/train.arff $from_arff --out train.store
says out "300 rows, dense"
expect 0 "$mlpac" pack data/test.arff --like train.store --out test.store
expect 0 "$mlpac" train --train data/train.arff $from_arff --test data/test.arff --ratio 0.4 --out plain $quick
for memory in 0 1024; do
  expect 0 "$mlpac" train --train train.store --test test.store --ratio 0.4 --row-memory $memory --out packed-$memory $quick
  same plain packed-$memory
done
short="--ratio 0.4 --folds 3 --prior estimate --method nnpu $quick"
expect 0 "$mlpac" train --train train.store --test test.store --row-memory 0 --out folds $short
expect 0 "$mlpac" train --train data/train.arff $from_arff --test data/test.arff --out plain-folds $short
same plain-folds folds
expect 0 "$mlpac" evaluate plain --data data/test.arff --json && mv out want
expect 0 "$mlpac" evaluate packed-0 --data test.store --row-memory 0 --json
cmp want out || fail "evaluating a store gives other numbers"
expect 0 "$mlpac" predict plain --data data/test.arff --all && mv out want
expect 0 "$mlpac" predict packed-0 --data test.store --row-memory 0 --all
cmp want out || fail "predicting a store gives other numbers"
expect 0 "$mlpac" suggest plain --data data/train.arff --out want.csv --limit 50
expect 0 "$mlpac" suggest plain --data train.store --out got.csv --limit 50
cmp want.csv got.csv || fail "other suggestions from a store"
expect 0 "$mlpac" info train.store
says out "(store)"

# A model of the run names the columns and labels as well as a store does.
expect 0 "$mlpac" pack data/test.arff --like plain --out test2.store
cmp test.store test2.store || fail "a run and its store give other stores"

# A run on a store, interrupted and continued, and two at the same time.
long="--train train.store --ratio 0.4 --row-memory 0 --epochs 12 --pretrain-epochs 4 --widths 16 --batch 16 --candidates 4 --device cpu"
"$mlpac" train $long --out whole >/dev/null 2>&1 &
first=$!
"$mlpac" train $long --out cut --checkpoint-seconds 0 >/dev/null 2>&1 &
second=$!
while [ ! -s cut/metrics.jsonl ]; do sleep 0.05; kill -0 $second 2>/dev/null || break; done
kill -TERM $second 2>/dev/null || true
wait $second || true
wait $first || fail "training beside another process"
[ -e cut/result.json ] || expect 0 "$mlpac" train --resume --out cut --row-memory 0
cmp whole/model.safetensors cut/model.safetensors || fail "resuming on a store is not exact"

# Sparse rows, and text with a vocabulary; test data needs that of the training data.
expect 0 "$mlpac" hide --data data/train.arff $from_arff --ratio 1 --out full.svm
expect 0 "$mlpac" pack full.svm --out svm.store
for i in $(seq 90); do
  [ $((i % 2)) = 0 ] && echo "__label__fruit the apple and the pear number $i" || echo "__label__tool a hammer or a saw number $i"
done >text.txt
awk 'BEGIN { for (i = 1; i <= 600; ++i) print "__label__" (i % 2 ? "odd" : "even"), "w" i, "w" (i % 599), "word" (i * 7 % 300), "v" (i % 2) }' >wide.txt
for kind in text wide; do
  expect 0 "$mlpac" pack $kind.txt --out $kind.store
  says out "$([ $kind = wide ] && echo sparse || echo dense)"
  expect 0 "$mlpac" train --train $kind.txt --test $kind.txt --method pos-weight --out $kind-plain $quick
  expect 0 "$mlpac" pack $kind.txt --like $kind.store --out $kind-test.store
  expect 0 "$mlpac" train --train $kind.store --test $kind-test.store --row-memory 0 --method pos-weight --out $kind-packed $quick
  same $kind-plain $kind-packed
done
head -40 text.txt >some.txt
expect 0 "$mlpac" pack some.txt --out some.store
expect 1 "$mlpac" predict text-plain --data some.store
says err "--like"

# Several inputs are one store.
head -300 wide.txt >part1.txt
tail -n +301 wide.txt >part2.txt
expect 0 "$mlpac" pack part1.txt part2.txt --out parts.store
says out "600 rows"

# --check, damage, and what must not happen to files
expect 0 "$mlpac" pack --check train.store
says out "checksums are right"
cp train.store bad.store
printf '\377' | dd of=bad.store bs=1 seek=$(($(stat -c %s bad.store) / 2)) conv=notrunc status=none
expect 1 "$mlpac" pack --check bad.store
says err "checksum"
head -c 9000 train.store >cut.store
expect 1 "$mlpac" train --train cut.store --out never $quick
says err "cut.store"
[ -e never ] && fail "a damaged store left a run folder"
expect 1 "$mlpac" pack data/train.arff $from_arff --out train.store
says err "--force"
expect 1 "$mlpac" pack train.store --out train.store --force
expect 2 "$mlpac" pack data/train.arff $from_arff
expect 2 "$mlpac" pack
expect 1 "$mlpac" pack nowhere.arff --out x.store
expect 1 "$mlpac" pack data/train.arff $from_arff --out /proc/x.store
says err "/proc/x.store"
cp train.store kept.store
( ulimit -f 16; trap '' XFSZ; "$mlpac" pack data/train.arff $from_arff --out kept.store --force >out 2>err ) && fail "packing onto a full disk succeeded"
says err "cannot write"
cmp train.store kept.store || fail "a full disk damaged the old store"
ls ./*.part 2>/dev/null && fail "a temporary file was left"
"$mlpac" pack data/train.arff $from_arff --out kept.store --force >/dev/full 2>err && fail "the report went nowhere, but that succeeded"
exit 0
