# Helpers of the tests of several processes on this machine, beside those of the command line.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli/lib.sh"

# free_port: one that nobody listens on.
free_port() {
  local port
  while port=$((20000 + RANDOM % 10000)); (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo $port
}
# start SIZE ARGUMENTS...: that many processes, told who they are as torchrun does; rank R writes out.R and err.R.
start() {
  local size=$1 port rank
  shift
  port=$(free_port)
  pids=()
  for ((rank = 0; rank < size; rank++)); do
    RANK=$rank WORLD_SIZE=$size LOCAL_RANK=$rank LOCAL_WORLD_SIZE=$size MASTER_ADDR=127.0.0.1 MASTER_PORT=$port \
      "$mlpac" "$@" >out.$rank 2>err.$rank &
    pids+=($!)
  done
}
# finish: waits for all; `codes` are their exit codes.
finish() {
  local pid code
  codes=()
  for pid in "${pids[@]}"; do
    code=0
    wait "$pid" 2>/dev/null || code=$?
    codes+=("$code")
  done
}
# together SIZE ARGUMENTS...: all of them succeed.
together() {
  start "$@"
  finish
  [[ "${codes[*]}" =~ ^(0 ?)+$ ]] || { tail -n 5 err.* >&2; fail "exit codes ${codes[*]}: $*"; }
}
# same A B [TOLERANCE [PREDICTIONS PREDICTIONS]]: two runs have the same losses and scores after every epoch, and the same test result.
same() { python3 "$here/same.py" "$@" || fail "the runs $1 and $2 differ"; }
