# The program takes the options of every plan under experiments/.
. "$(dirname "$0")/lib.sh"
source=${SOURCE:?root of the source tree}
for plan in "$source"/experiments/*/*.json; do
  for scale in here paper; do  # smoke.sh runs the other one
    got=0
    "$mlpac" experiment run "$plan" --scale $scale --cells none.jsonl --check >out 2>err || got=$?
    [ $got = 0 ] || grep -q "has no cells at the scale" err || { cat err >&2; fail "$plan at $scale"; }
  done
done

# A layer with an option that there is not is named, with its cell.
cp -r "$source/experiments" changed
echo 'epochz = 3' >>changed/docre/small.toml
expect 1 "$mlpac" experiment run changed/docre/plan.json --cells none.jsonl --check
says err "FAILED small/train_revised/mlpac/0.1/seed-0: mlpac train"
says err "epochz"
