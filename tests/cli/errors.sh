# Wrong usage exits with 2, failure with 1; each message names the culprit and nothing is left half-written.
. "$(dirname "$0")/lib.sh"
small data
base="--train data/train.arff --labels data/labels.xml"

usage() { # usage TEXT ARGUMENTS...
  local text=$1
  shift
  expect 2 "$mlpac" "$@"
  says err "$text"
  [ "$(wc -l <err)" = 1 ] || fail "more than one line of error: $(cat err)"
}
usage "did you mean 'train'" trian
usage "--ratio" train $base --ratoi 0.1 --out r
usage "expected a number from 0 to 1" train $base --ratio 2 --out r
usage "expected a whole number" train $base --epochs many --out r
usage "did you mean 'mlpac'" train $base --method mplac --out r
usage "--out FOLDER is needed" train $base
usage "--train FILE is needed" train --out r
usage "--w" train $base --w lots --out r
usage "--positive-weight" train $base --method pos-weight --positive-weight heavy --out r
usage "--negatives" train $base --method neg-weight --negatives some --out r
usage "--device" train $base --device tpu --out r
usage "unknown network" train $base --network cnn --out r
usage "unknown selection rule" train $base --selection best --out r
usage "RUN" predict --data data/test.arff
usage "unknown list" list everything
usage "is not a supervised method" train $base --pretrain mlpac --out r
printf 'epochs = 3\nepoch = 4\n' >bad.toml
usage "did you mean 'epochs'" train --config bad.toml --out r

failure() {
  local text=$1
  shift
  expect 1 "$mlpac" "$@"
  says err "$text"
}
failure "nowhere.arff" train --train nowhere.arff --labels data/labels.xml --out f1
failure "folder" train --train data --labels data/labels.xml --out f2
printf '@relation x\n@attribute a numeric\n@attribute b {0,1}\n@data\n1,0\nspam,1\n' >bad.arff
printf 'b\n' >bad.txt
failure "bad.arff:6" train --train bad.arff --labels bad.txt --out f3
failure "no model here" predict data --data data/test.arff
failure "no label is annotated" train --train <(sed 's/,[01],[01],[01],[01],[01],[01]$/,0,0,0,0,0,0/' data/train.arff) --format arff --labels data/labels.xml --out f4
failure "name it with --format" train --train <(cat data/train.arff) --labels data/labels.xml --out f4
failure "cannot create" train $base --out /proc/nothing/here
failure "full-dev needs" train $base --selection full-dev --out f5 $quick
failure "oracle needs" train $base --ratio 0.5 --selection oracle --out f6 $quick

# A finished run is not overwritten, an unfinished one is not restarted by accident.
expect 0 "$mlpac" train $base --ratio 0.3 --out run $quick
cp run/model.safetensors before
failure "finished run" train $base --ratio 0.3 --out run $quick --seed 2
cmp before run/model.safetensors || fail "the run was touched"
expect 0 "$mlpac" train $base --ratio 0.3 --out run $quick --resume
expect 0 "$mlpac" train $base --ratio 0.3 --out run $quick --seed 2 --force
cmp -s before run/model.safetensors && fail "--force did not retrain"

# Disk full: the limit on the file size stands for it. The old file stays, no temporary one is left.
printf 'old' >p.jsonl
( ulimit -f 1; trap '' XFSZ; "$mlpac" predict run --data data/test.arff --out p.jsonl --all --force >out 2>err ) && fail "writing beyond the limit succeeded"
says err "cannot write"
[ "$(cat p.jsonl)" = old ] || fail "the old file was damaged"
ls -- *.part 2>/dev/null && fail "a temporary file was left"
"$mlpac" predict run --data data/test.arff >/dev/full 2>err && fail "writing to a full device succeeded"
says err "standard output"

# Damaged models are refused with a reason.
cp -r run broken && printf 'garbage' >broken/model.safetensors
failure "safetensors" predict broken --data data/test.arff
cp run/model.safetensors broken/ && sed -i 's/"inputs": 12/"inputs": 13/' broken/model.json
failure "do not fit" predict broken --data data/test.arff
sed 's/attribute f3 /attribute g3 /' data/test.arff >renamed.arff
failure "'f3' is missing" predict run --data renamed.arff

# A run folder that another process works in is refused.
( flock 9; expect 1 "$mlpac" train $base --out locked $quick ) 9<"$(mkdir -p locked; echo locked)"
says err "another mlpac"
