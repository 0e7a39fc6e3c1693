# Every example runs as it is, from any folder.
. "$(dirname "$0")/lib.sh"
examples=${EXAMPLES:?folder of the examples}
for run in "$examples"/*/run; do
  expect 0 env MLPAC="$mlpac" bash "$run" "$scratch/$(basename "$(dirname "$run")")"
done
f1=$("$mlpac" evaluate tickets/run --data "$examples/tickets/complete.csv" --json | jq .f1)
awk -v f1="$f1" 'BEGIN { exit !(f1 > 80) }' || fail "the tickets example reaches F1 $f1 only"
jq -es 'length == 200 and (.[0].id == "N0")' tickets/topics.jsonl >/dev/null || fail "predictions of the tickets example"
