# The same seed and batch give the same losses and the same result in one, two and four processes. In runs of one step per
# epoch the losses that are compared are those of the steps; 301 rows do not divide evenly.
. "$(dirname "$0")/lib.sh"
"$mlpac" generate --rows 376 --test-rows 100 --features 12 --classes 6 --positives 1.5 --out data >/dev/null 2>&1
features="train --train data/train.arff --labels data/labels.xml --test data/test.arff --ratio 0.4 --device cpu --quiet --widths 16"

# compare NAME SIZES ARGUMENTS...: runs NAME.1, NAME.2, ... of so many processes.
compare() {
  local name=$1 sizes=$2 size
  shift 2
  expect 0 "$mlpac" "$@" --out "$name.1"
  for size in $sizes; do
    together "$size" "$@" --out "$name.$size"
    [ ! -s out.1 ] || fail "rank 1 prints results"
    same "$name.1" "$name.$size"
  done
}

steps="--batch 1000 --epochs 12 --pretrain-epochs 6 --validation 0.2"
compare steps "2 4" $features $steps --method mlpac --candidates 3 --critic-epochs 6 --gamma-policy 0.6 --dropout 0.1
compare sums "2" $features $steps --method pos-weight --weight rule
[ -n "${ALL:-}" ] || exit 0
compare epochs "2 4" $features --batch 37 --epochs 4 --pretrain-epochs 2 --method mlpac --candidates 3 --dropout 0.1 --ema 0.9
# The parts of --accumulate, which one process computes one after the other, are split in the same way.
parts="$steps --method mlpac --pretrain none --candidates 3"
expect 0 "$mlpac" $features $parts --out parts
expect 0 "$mlpac" $features $parts --accumulate 3 --out parts.1
same parts parts.1
compare sums.more "4" $features $steps --method pos-weight --weight rule
compare draws "4" $features --batch 50 --epochs 3 --method neg-weight --accumulate 3 --weight rule
compare risk "4" $features $steps --method nnpu --prior estimate

# A batch with fewer rows than processes.
compare few "4" $features --batch 299 --epochs 3 --method pos-weight --weight rule

# Data with many columns: the first layer's gradient is sparse.
python3 - <<'PYTHON'
import random
draws = random.Random(2)
with open("wide.svm", "w") as file:
    for i in range(200):
        label = i % 4
        columns = sorted(set(draws.randrange(20000) for _ in range(12)) | {label * 7})
        file.write(f"{label} " + " ".join(f"{c}:1" for c in columns) + "\n")
PYTHON
compare wide "2" train --train wide.svm --test wide.svm --ratio 0.5 --device cpu --quiet --widths 8 --batch 32 --epochs 3 --method pos-weight --weight rule
