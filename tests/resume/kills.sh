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

# Kill soon enough that the run cannot end before its last kill, whatever the speed of the machine.
rm -rf cut
killed=0
RANDOM=7
while :; do
  "$mlpac" train $arguments --out cut --resume --checkpoint-seconds 0.05 >/dev/null 2>err &
  job=$!
  if [ "$killed" -lt "$kills" ]; then
    wait_ms=$((startup + RANDOM % (length / kills)))
    sleep "$((wait_ms / 1000)).$(printf '%03d' $((wait_ms % 1000)))"
    if kill -KILL $job 2>/dev/null; then killed=$((killed + 1)); fi
  fi
  code=0
  wait $job 2>/dev/null || code=$?
  [ $code = 0 ] && break
  [ $code = 137 ] || { cat err >&2; fail "exit code $code after $killed kills"; }
done
echo "killed $killed times" >&2
[ "$killed" -ge "$kills" ] || fail "the run ended after only $killed kills; make it longer"
cmp whole/model.safetensors cut/model.safetensors || fail "the model differs after $killed kills"
cmp whole/critic.safetensors cut/critic.safetensors || fail "the critic differs"
strip='del(.seconds)'
diff <(jq -c "$strip" whole/metrics.jsonl) <(jq -c "$strip" cut/metrics.jsonl) >/dev/null || fail "metrics.jsonl differs"
diff <(jq 'del(.seconds, .peak_memory_mb)' whole/result.json) <(jq 'del(.seconds, .peak_memory_mb)' cut/result.json) || fail "result.json differs"
