# SIGKILL at random moments: the final weights are those of an uninterrupted run, bit by bit.
. "$(dirname "$0")/../cli/lib.sh"
kills=${KILLS:-20}
"$mlpac" generate --rows 1500 --test-rows 300 --features 30 --classes 12 --positives 2 --out data >/dev/null 2>&1
arguments="--train data/train.arff --labels data/labels.xml --test data/test.arff --ratio 0.2 --seed 3 --epochs 24 --critic-epochs 12 --candidates 5 --batch 16 --dropout 0.1 --ema 0.9 --enhance ${ENHANCE:-epoch-policy} --gamma-policy 0.6 --device cpu --quiet --estimator ${ESTIMATOR:-exact} --samples 4"
now() { date +%s%3N; }
start=$(now); "$mlpac" --version >/dev/null; startup=$(($(now) - start))
start=$(now)
"$mlpac" train $arguments --out whole >/dev/null 2>&1
length=$(($(now) - start - startup))

strip='del(.seconds, .peak_memory_mb)'
compare() {
  cmp whole/model.safetensors cut/model.safetensors || fail "the model differs after $killed kills"
  cmp whole/critic.safetensors cut/critic.safetensors || fail "the critic differs after $killed kills"
  diff <(jq -c "$strip" whole/metrics.jsonl) <(jq -c "$strip" cut/metrics.jsonl) >/dev/null || fail "metrics.jsonl differs"
  diff <(jq "$strip" whole/result.json) <(jq "$strip" cut/result.json) || fail "result.json differs"
}

# Runs are cut short at random moments until there were enough kills; each one that ends must equal the whole one.
killed=0
ended=0
RANDOM=7
while [ "$killed" -lt "$kills" ] || [ "$ended" = 0 ]; do
  "$mlpac" train $arguments --out cut --resume --checkpoint-seconds 0.05 >/dev/null 2>err &
  job=$!
  if [ "$killed" -lt "$kills" ]; then
    wait_ms=$((startup + RANDOM % (1 + length / 8)))
    sleep "$((wait_ms / 1000)).$(printf '%03d' $((wait_ms % 1000)))"
    kill -KILL $job 2>/dev/null || true
  fi
  code=0
  wait $job 2>/dev/null || code=$?
  case $code in
    0) compare; ended=$((ended + 1)); rm -rf cut ;;
    137) killed=$((killed + 1)) ;;
    *) cat err >&2; fail "exit code $code after $killed kills" ;;
  esac
done
echo "$killed kills, $ended runs to the end, all equal" >&2
