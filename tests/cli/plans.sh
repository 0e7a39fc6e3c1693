# The program takes the options of every plan under experiments/.
. "$(dirname "$0")/lib.sh"
source=${SOURCE:?root of the source tree}
for plan in "$source"/experiments/*/plan.json; do
  expect 0 "$source/scripts/run-experiment" "$plan" --cells none.jsonl --check
done
