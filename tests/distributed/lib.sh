# Helpers of the tests of several processes on this machine, beside those of the command line.
. "$(dirname "$0")/../cli/lib.sh"

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
# same A B: two runs have the same losses and scores after every epoch, and the same test result.
same() {
  jq -en --slurpfile a "$1/metrics.jsonl" --slurpfile b "$2/metrics.jsonl" '
    def near($x; $y; $e): ($x - $y | fabs) <= $e * ([1, ($x | fabs)] | max);
    ($a | length) == ($b | length) and all(range($a | length); . as $i | all($a[$i] | keys_unsorted[];
      . as $k | $a[$i][$k] as $x | $b[$i][$k] as $y |
      if ($x | type) != "number" or $k == "seconds" or $k == "data_wait" or $k == "exchange_wait" then true else near($x; $y; 1e-5) end))' >/dev/null ||
    { diff "$1/metrics.jsonl" "$2/metrics.jsonl" | cut -c1-400 | head -6 >&2; fail "the epochs of $1 and $2 differ"; }
  jq -en --slurpfile a "$1/result.json" --slurpfile b "$2/result.json" '
    [$a[0], $b[0] | [.selection.epoch, .selection.w] + [.test | .f1, .precision, .recall, .map, .macro_f1]] |
    transpose | all(.[]; .[0] == .[1] or ((.[0] // 0) - (.[1] // 0) | fabs) < 1e-4)' >/dev/null ||
    { jq -c '[.selection, .test]' "$1/result.json" "$2/result.json" | cut -c1-500 >&2; fail "the results of $1 and $2 differ"; }
}
