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
