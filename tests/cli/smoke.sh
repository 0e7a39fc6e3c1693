# Every experiment of the tree on synthetic data: all its methods and variants are trained, and all its reports written.
. "$(dirname "$0")/lib.sh"
source=${SOURCE:?root of the source tree}
start=$(date +%s)
expect 0 "$mlpac" experiment run --all --scale smoke --plans "$source/experiments" --device cpu
for plan in "$source"/experiments/*/*.json; do
  name=$(jq -r .name "$plan")
  for form in md csv tex html json; do [ -s "runs/smoke/$name/$name.$form" ] || fail "no $name.$form"; done
  says "runs/smoke/$name/$name.md" "A trial, not a measurement"
  ! grep -q ' missing' "runs/smoke/$name/$name.md" || { grep ' missing' "runs/smoke/$name/$name.md" >&2; fail "$name is not complete"; }
done
[ ! -e runs/smoke/binary-pu/cells.failed.jsonl ] || fail "$(cat runs/smoke/binary-pu/cells.failed.jsonl)"
echo "all experiments in $(($(date +%s) - start)) s"
