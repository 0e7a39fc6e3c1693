# Several processes on a machine with a GPU, started by torchrun 2.x: one through NCCL to itself, two that share the GPU and
# exchange through the host. Skipped where either is missing.
command -v torchrun >/dev/null && nvidia-smi -L >/dev/null 2>&1 || { echo "skipped: no torchrun or no GPU" >&2; exit 77; }
. "$(dirname "$0")/lib.sh"
"$mlpac" generate --rows 376 --test-rows 100 --features 12 --classes 6 --positives 1.5 --out data >/dev/null 2>&1
arguments="train --train data/train.arff --labels data/labels.xml --test data/test.arff --ratio 0.4 --quiet --widths 32 \
  --batch 37 --epochs 4 --pretrain-epochs 2 --critic-epochs 2 --method mlpac --w 10 --selection last --dropout 0.1"
expect 0 "$mlpac" $arguments --device cuda --out one
expect 0 env MLPAC_EXCHANGE_ALONE=1 torchrun --no-python --nproc-per-node 1 "$mlpac" $arguments --device cuda --out nccl
says nccl/metrics.jsonl '"exchange":{'
same one nccl 1e-4
expect 0 torchrun --no-python --nproc-per-node 2 "$mlpac" $arguments --device cuda --out gloo
same one gloo 1e-3
# The same on the CPU, by the store of torchrun's agent.
expect 0 "$mlpac" $arguments --device cpu --out host.one
expect 0 torchrun --no-python --nproc-per-node 2 "$mlpac" $arguments --device cpu --out host
same host.one host
