# Every experiment of the tree on synthetic data: all its methods and variants are trained, and all its reports written.
. "$(dirname "$0")/lib.sh"
source=${SOURCE:?root of the source tree}
start=$(date +%s)
expect 0 "$mlpac" experiment run --all --scale smoke --plans "$source/experiments" --device cpu
for plan in "$source"/experiments/*/*.json; do
  name=$(jq -r .name "$plan")
  for form in md csv tex html json; do [ -s "runs/smoke/$name/$name.$form" ] || fail "no $name.$form"; done
  says "runs/smoke/$name/$name.md" "A trial, not a measurement"
  json "runs/smoke/$name/$name.json" 'length > 0 and all(.missing == null and (.seeds | length) > 0)'
done
! cat runs/smoke/*/cells.failed.jsonl 2>/dev/null || fail "runs failed"
echo "all experiments in $(($(date +%s) - start)) s"
