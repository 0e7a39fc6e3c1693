# An experiment that is stopped: its run saves its state, is continued the next time, and ends as if nothing had happened.
. "$(dirname "$0")/../cli/lib.sh"
small data
mkdir plan
cat >plan/plan.json <<'JSON'
{"name": "stopped", "title": "Stopped", "axes": {"method": ["method"], "ratio": ["ratio"], "seed": ["seed"]},
 "variants": {"long": ["--epochs", "3000", "--widths", "16", "--batch", "32"]},
 "data": {"ARFF": {"train": "{data}/train.arff", "labels": "{data}/labels.xml", "test": "{data}/test.arff"}},
 "groups": [{"name": "one", "method": "negative", "ratio": 0.5, "seed": 3, "variant": "long"}],
 "report": [{"kind": "details", "title": "All", "where": {"variant": "long"}}]}
JSON
unset MLPAC  # the runs are made by the program itself
run="$mlpac experiment run plan/plan.json --data data --device cpu --jobs 1 --out report"
expect 0 $run --cells straight.jsonl
epochs() { { cat work/*/run/metrics.jsonl 2>/dev/null || true; } | wc -l; }
for signal in INT:130 TERM:143; do
  $run --cells stopped.jsonl >out 2>err &
  pid=$!
  before=$(epochs)
  for _ in $(seq 600); do
    [ "$(epochs)" -le "$before" ] || break
    sleep 0.05
  done
  kill -${signal%:*} $pid
  code=0 && wait $pid || code=$?
  [ $code = ${signal#*:} ] || { cat err >&2; fail "exit code $code after $signal"; }
  says err "has saved its state"
  [ -e work/*/run/checkpoint.safetensors ] || fail "no state: $(find work)"
done
expect 0 $run --cells stopped.jsonl
[ ! -e work ] || fail "something is left: $(find work)"
[ "$(jq -c '[.test, .selection]' stopped.jsonl)" = "$(jq -c '[.test, .selection]' straight.jsonl)" ] ||
  fail "$(cat stopped.jsonl straight.jsonl)"
