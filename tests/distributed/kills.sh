# A process that is killed: the others name it and end soon, nothing is damaged, and the run goes on from its checkpoint.
. "$(dirname "$0")/lib.sh"
kills=${KILLS:-20}
"$mlpac" generate --rows 1500 --test-rows 200 --features 20 --classes 8 --positives 2 --out data >/dev/null 2>&1
arguments="train --train data/train.arff --labels data/labels.xml --test data/test.arff --ratio 0.2 --epochs 400 --pretrain-epochs 20 --patience 0 --candidates 2 --widths 16 --batch 16 --device cpu --quiet --checkpoint-seconds 0.2"
RANDOM=11
slowest=0
for ((kill = 0; kill < kills; kill++)); do
  size=$((2 + kill % 3))
  victim=$((RANDOM % size))
  touch started
  start $size $arguments --out run --resume
  for _ in $(seq 1200); do [ run/checkpoint.safetensors -nt started ] && break; sleep 0.05; done  # all train
  sleep "0.$((RANDOM % 9))"
  kill -0 "${pids[$victim]}" 2>/dev/null || { tail -n 3 err.* >&2; fail "rank $victim ended by itself"; }
  kill -KILL "${pids[$victim]}"
  SECONDS=0
  finish
  [ $SECONDS -le 30 ] || fail "the others took $SECONDS s to end"
  [ $SECONDS -le $slowest ] || slowest=$SECONDS
  for ((rank = 0; rank < size; rank++)); do
    [ $rank = $victim ] && continue
    [ "${codes[$rank]}" = 1 ] || { tail -n 3 err.* >&2; fail "exit codes ${codes[*]} after rank $victim was killed"; }
    says err.$rank "rank $rank: rank $victim was lost"
  done
done
echo "$kills kills, the others ended within $slowest s" >&2
