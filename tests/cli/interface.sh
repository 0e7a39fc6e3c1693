# The interface that scripts rely on: names of options, files and fields.
. "$(dirname "$0")/lib.sh"
small data

expect 0 "$mlpac" --version
says out "mlpac "
expect 0 "$mlpac" --help
for command in demo train evaluate predict suggest review hide generate info list docs; do
  says out "$command"
done
for command in demo train evaluate predict suggest review hide generate info list docs; do
  for help in --help --help-all; do
    expect 0 "$mlpac" $command $help
    says out "Example"
    awk 'length > 80 { print "long help line: " $0; exit 1 }' out || fail "help of $command"
  done
  expect 0 "$mlpac" $command --help
  [ "$(wc -l <out)" -le 40 ] || fail "the help of $command does not fit a screen"
done
for what in methods tasks networks rewards schedules losses selections ablations hiding readers priors; do
  expect 0 "$mlpac" list $what
  [ -s out ] || fail "list $what prints nothing"
done

expect 0 "$mlpac" train --task features --train data/train.arff --labels data/labels.xml --test data/test.arff \
  --ratio 0.3 --label-seed 0 --method mlpac --seed 1 --out run $quick
[ -s err ] && grep -v -e '^next:' -e '^warning: matrix' err | grep -q . && fail "--quiet is not quiet: $(cat err)"
json run/result.json '.method == "mlpac" and .task == "features" and .ratio == 0.3 and .seed == 1 and .label_seed == 0'
json run/result.json '.selection | .rule == "estimated-f1" and (.epoch | type) == "number" and (.score | type) == "number" and .w > 0'
for key in test critic; do
  json run/result.json ".$key | [.precision, .recall, .f1, .macro_f1, .map] | all(type == \"number\" and . >= 0 and . <= 100)"
done
json run/result.json '.uncut | [.precision, .recall, .f1] | all(type == "number" and . >= 0 and . <= 100)'
expect 0 "$mlpac" train --train data/train.arff --labels data/labels.xml --test data/test.arff --ratio 0.3 --method pos-weight \
  --threshold 0.5 --out at-half $quick
json at-half/result.json '.test.f1 > 0 and .uncut.f1 == .test.f1 and .uncut.recall == .test.recall'
json run/result.json '(.seconds.total >= .seconds.train) and .peak_memory_mb > 10 and (.version | type) == "string"'
phases=$(jq -r .phase run/metrics.jsonl | uniq | tr '\n' ' ')  # few annotations: folds, then all rows
[ "$phases" = "pretrain mlpac final-pretrain final-mlpac " ] || fail "metrics.jsonl should have a line per epoch: $phases"
jq -es 'all(has("phase") and has("epoch") and (has("score") or (.phase | startswith("final"))))' run/metrics.jsonl >/dev/null || fail "metrics.jsonl"
jq -es '.[2:4] | all(has("critic_loss") and has("policy_loss") and has("local_reward") and has("global_reward") and has("w") and has("enhanced") and has("enhanced_precision"))' run/metrics.jsonl >/dev/null || fail "metrics.jsonl lacks fields"
[ -e run/checkpoint.safetensors ] && fail "a finished run keeps no checkpoint"
json run/model.json '(.labels | length) == 6 and (.thresholds | length) == 6 and (.normalisation.scale | length) == 12 and .architecture.network == "mlp"'

# config.toml re-creates the run, bit by bit.
expect 0 "$mlpac" train --config run/config.toml --out again --device cpu --quiet
cmp run/model.safetensors again/model.safetensors || fail "--config does not re-create the run"

# OpenBLAS takes a processor newer than itself for a Pentium 4; the program does not leave it at that, but at what is set by hand.
core() { OPENBLAS_VERBOSE=2 "$@" "$mlpac" train --method negative --dump-config 2>&1 | grep '^Core:' || true; }
if grep -q '^flags.* avx2' /proc/cpuinfo; then
  [ "$(core env | tail -1)" != "Core: Prescott" ] || fail "matrices are multiplied without AVX"
  [ "$(core env OPENBLAS_CORETYPE=Prescott | wc -l)" -le 1 ] || fail "OPENBLAS_CORETYPE is not left alone"
fi

# A flag can be taken back, over a file that sets it.
sed 's/^keep-pretrained = .*/keep-pretrained = true/' run/config.toml >kept.toml
expect 0 "$mlpac" train --config kept.toml --keep-pretrained=false --dump-config
grep -q '^keep-pretrained = false' out || fail "--keep-pretrained=false"

# predict and evaluate
expect 0 "$mlpac" predict run --data data/test.arff --out p.jsonl
[ "$(wc -l <p.jsonl)" = 200 ] || fail "one line per row"
jq -es 'all((.id | type) == "number" and (.labels | type) == "object" and (.labels | all(. > 0.5)))' p.jsonl >/dev/null || fail "p.jsonl"
expect 0 "$mlpac" predict run --data data/test.arff --out all.jsonl --all
jq -es 'all(.labels | length == 6)' all.jsonl >/dev/null || fail "--all"
expect 0 "$mlpac" predict run --data data/test.arff --out p.csv
says p.csv "id,label,probability"
[ "$(($(wc -l <p.csv) - 1))" = "$(jq -s 'map(.labels | length) | add' p.jsonl)" ] || fail "CSV and JSON differ"
"$mlpac" predict run --data data/test.arff 2>/dev/null | cmp - p.jsonl || fail "stdout and file differ"
expect 1 "$mlpac" predict run --data data/test.arff --out p.csv
says err "--force"
expect 0 "$mlpac" evaluate run --data data/test.arff --json
jq -e --slurpfile r run/result.json '(.f1 - $r[0].test.f1) | fabs < 1e-4' out >/dev/null || fail "evaluate differs from result.json"
json out '.classes | length == 6'

# every method and ablation trains
for method in $("$mlpac" list methods | awk '/^  [a-z]/ { print $1 }' | grep -v '^assumes'); do
  expect 0 "$mlpac" train --train data/train.arff --labels data/labels.xml --test data/test.arff --ratio 0.3 --method "$method" --out "m-$method" $quick
done
for ablation in $("$mlpac" list ablations | awk '{ print $1 }'); do
  expect 0 "$mlpac" train --train data/train.arff --labels data/labels.xml --ratio 0.3 --ablation "$ablation" --out "a-$ablation" $quick
  json "a-$ablation/result.json" ".ablation == \"$ablation\" and .test == null"
done
expect 0 "$mlpac" info run
says out "finished"
expect 0 "$mlpac" info data/train.arff --labels data/labels.xml
says out "300"
# training without --ratio uses the annotations as they are
expect 0 "$mlpac" train --train data/train.arff --labels data/labels.xml --out asis $quick
json asis/result.json '.ratio == null'
# --init starts from the weights of another run and skips pre-training
expect 0 "$mlpac" train --train data/train.arff --labels data/labels.xml --ratio 0.3 --init m-negative --out warm $quick
! grep -q pretrain warm/metrics.jsonl || fail "--init should skip pre-training"
