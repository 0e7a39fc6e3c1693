# How several processes are started, and what goes wrong then: variables, ports, missing processes, resuming with others.
. "$(dirname "$0")/lib.sh"
small data
arguments="train --train data/train.arff --labels data/labels.xml --test data/test.arff --ratio 0.5 $quick"

# Variables that make no sense are wrong usage.
expect 2 env RANK=2 WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=1234 "$mlpac" $arguments --out bad
says err "RANK is 2, but WORLD_SIZE says that there are 2"
expect 2 env RANK=0 WORLD_SIZE=2 MASTER_PORT=1234 "$mlpac" $arguments --out bad
says err "MASTER_ADDR is missing"
expect 2 env RANK=0 "$mlpac" $arguments --out bad
says err "WORLD_SIZE is missing"
[ ! -e bad ] || fail "a run that could not start left a folder"

# Nobody else comes: who waits says where, and how many have joined.
port=$(free_port)
SECONDS=0
expect 1 env RANK=0 WORLD_SIZE=3 MASTER_ADDR=127.0.0.1 MASTER_PORT=$port "$mlpac" $arguments --out alone --rendezvous-timeout 2
says err "rank 0: only 1 of 3 processes joined at 127.0.0.1:$port within 2 s"
expect 1 env RANK=1 WORLD_SIZE=3 MASTER_ADDR=127.0.0.1 MASTER_PORT=$port "$mlpac" $arguments --out alone --rendezvous-timeout 2
says err "nobody answers at 127.0.0.1:$port"
[ $SECONDS -lt 25 ] || fail "waiting took $SECONDS s"

# Rank 0 is told to meet the others on a machine that is not its own.
expect 2 env RANK=0 WORLD_SIZE=2 MASTER_ADDR=no-such-machine.invalid MASTER_PORT=$port "$mlpac" $arguments --out alone --rendezvous-timeout 3
says err "rank 0 does not reach itself at no-such-machine.invalid:$port"

# The port is taken.
python3 -c "import socket, time; s = socket.socket(socket.AF_INET6); s.bind(('::', $port)); s.listen(); print(flush=True); time.sleep(60)" >ready &
holder=$!
while [ ! -s ready ]; do sleep 0.05; done
expect 2 env RANK=0 WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$port "$mlpac" $arguments --out alone --rendezvous-timeout 5
says err "cannot listen on port $port"
kill $holder

# An error of one ends all, and is told by the one that had it.
expect 0 "$mlpac" $arguments --out whole
start 2 $arguments --out whole
finish
[ "${codes[0]}" = 1 ] && [ "${codes[1]}" = 1 ] || fail "exit codes ${codes[*]}"
says err.0 "rank 0: whole: holds a finished run"
says err.1 "rank 1: rank 0 ended with an error"

# A run that two processes began is continued by one or four, and equals the one that was never stopped.
long="train --train data/train.arff --labels data/labels.xml --test data/test.arff --ratio 0.5 --epochs 30 --pretrain-epochs 10 --widths 16 --batch 32 --candidates 3 --critic-epochs 15 --dropout 0.1 --device cpu --quiet"
expect 0 "$mlpac" $long --out straight
for size in 1 4; do
  start 2 $long --out cut.$size
  while [ ! -s cut.$size/metrics.jsonl ]; do sleep 0.02; kill -0 "${pids[0]}" 2>/dev/null || break; done
  kill -TERM "${pids[1]}"  # one is told, all stop
  finish
  [ "${codes[*]}" = "143 143" ] || { cat err.* >&2; fail "exit codes ${codes[*]} after SIGTERM"; }
  [ -s cut.$size/checkpoint.safetensors ] || fail "no checkpoint"
  if [ $size = 1 ]; then expect 0 "$mlpac" train --resume --quiet --out cut.1; else together $size train --resume --quiet --out cut.$size; fi
  same straight cut.$size
done

# Open MPI, where it is installed; Slurm by its variables.
if command -v mpirun >/dev/null; then
  expect 0 mpirun --allow-run-as-root --oversubscribe -np 2 "$mlpac" $arguments --out mpi
  same whole mpi
fi
port=$(free_port)
for rank in 0 1; do
  SLURM_STEP_ID=0 SLURM_PROCID=$rank SLURM_STEP_NUM_TASKS=2 SLURM_LOCALID=$rank SLURM_STEP_NODELIST=localhost SLURM_JOB_ID=1 MASTER_PORT=$port \
    "$mlpac" $arguments --out slurm >out.$rank 2>err.$rank &
  pids[$rank]=$!
done
pids=("${pids[@]:0:2}")
finish
[ "${codes[*]}" = "0 0" ] || { cat err.* >&2; fail "exit codes ${codes[*]} as Slurm starts them"; }
same whole slurm
