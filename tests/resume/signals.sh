# SIGTERM and SIGINT save the state and say how to continue; resuming needs no other option and is exact.
. "$(dirname "$0")/../cli/lib.sh"
"$mlpac" generate --rows 1000 --test-rows 100 --features 20 --classes 8 --positives 2 --out data >/dev/null 2>&1
arguments="--train data/train.arff --labels data/labels.xml --test data/test.arff --ratio 0.2 --epochs 20 --critic-epochs 8 --candidates 4 --batch 16 --device cpu"
for method in mlpac self-training neg-weight; do
  "$mlpac" train $arguments --method $method --out whole-$method >/dev/null 2>&1
  for signal in TERM INT; do
    out=cut-$method-$signal
    "$mlpac" train $arguments --method $method --out $out >out 2>err &
    job=$!
    while [ ! -s $out/metrics.jsonl ]; do sleep 0.01; kill -0 $job 2>/dev/null || break; done
    # bash starts background jobs with SIGINT ignored; the program installs its own handler anyway
    kill -$signal $job 2>/dev/null || true
    code=0
    wait $job || code=$?
    # A run that had just ended, too, is ended by the signal, as any other program.
    if [ $code != 0 ] && [ ! -s $out/result.json ]; then
      [ $code = $([ $signal = TERM ] && echo 143 || echo 130) ] || { cat err >&2; fail "$method $signal: exit code $code"; }
      says err "mlpac train --resume --out $out"
      [ -s $out/checkpoint.safetensors ] || fail "no checkpoint"
      expect 1 "$mlpac" train $arguments --method $method --out $out
      says err "--resume"
      expect 2 "$mlpac" train --resume --out $out --epochs 21
      says err "was started with"
      expect 0 "$mlpac" train --resume --out $out
    fi
    cmp whole-$method/model.safetensors $out/model.safetensors || fail "$method: resuming after $signal is not exact"
  done
done

# A damaged checkpoint or changed data is refused with a reason, not resumed wrongly.
"$mlpac" train $arguments --out damaged >/dev/null 2>&1 &
job=$!
while [ ! -s damaged/metrics.jsonl ]; do sleep 0.05; done
kill -TERM $job
wait $job || true
cp damaged/checkpoint.safetensors good
head -c 5000 good >damaged/checkpoint.safetensors
expect 1 "$mlpac" train --resume --out damaged
says err "checkpoint.safetensors"
cp good damaged/checkpoint.safetensors
sed -i '$s/^[^,]*,/0.123,/' data/train.arff
expect 1 "$mlpac" train --resume --out damaged
says err "data files have changed"

# Disk full (a limit on the file size stands for it): training fails with a reason, keeps the last good checkpoint, leaves no
# half-written file, and continues exactly when there is room again.
"$mlpac" generate --rows 1000 --test-rows 100 --features 20 --classes 8 --positives 2 --out data --force >/dev/null 2>&1
mkdir full && cp damaged/config.toml full/ && cp damaged/metrics.jsonl full/ && cp good full/checkpoint.safetensors
(
  ulimit -f 8
  trap '' XFSZ
  "$mlpac" train --resume --out full --checkpoint-seconds 0 >out 2>err
) && fail "training beyond the limit succeeded"
says err "cannot write"
cmp good full/checkpoint.safetensors || fail "the last good checkpoint was damaged"
ls full/*.part 2>/dev/null && fail "a temporary file was left"
expect 0 "$mlpac" train --resume --out full
cmp whole-mlpac/model.safetensors full/model.safetensors || fail "resuming after a full disk is not exact"
