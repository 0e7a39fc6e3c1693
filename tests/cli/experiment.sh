# mlpac experiment with a program that only pretends to train: one file of cells is all its state.
. "$(dirname "$0")/lib.sh"
source=${SOURCE:?root of the source tree}
real=$mlpac
plans="--plans $source/experiments"

# Notes its arguments and options; F1 is made of its options. FAIL: arguments it fails for; SLOW: seconds it takes.
cat >program <<'EOF'
#!/usr/bin/env bash
echo "$*" >>"$CALLS"
arguments=$*  # the file is no place to look them up: others write to it at the same time
ratio=1 seed=0 w=null tenth=5
while [ $# -gt 0 ]; do
  case $1 in
    --ratio) ratio=$2 ;;
    --seed) seed=$2 ;;
    --w) w=$2 ;;
    --method) [ "$2" != nnpu ] || tenth=0 ;;
    --config) cat "$2" >>"$CALLS.config" ;;
  esac
  shift
done
if [ -n "${FAIL:-}" ] && [[ $arguments == *"$FAIL"* ]]; then echo "out of luck" >&2; exit 1; fi
[ -z "${SLOW:-}" ] || { sleep "$SLOW" & echo "$$ $!" >>"$CALLS.processes"; wait; }
f1=${ratio#0.}$seed.$tenth
echo "{\"test\": {\"precision\": 50.0, \"recall\": 60.0, \"f1\": $f1, \"map\": 40.0}, \"critic\": null,
  \"selection\": {\"rule\": \"estimated-f1\", \"epoch\": 3, \"phase\": \"mlpac\", \"w\": $w, \"threshold\": 0.5,
    \"score\": 1.25},
  \"seconds\": {\"total\": 2.0, \"train\": 1.0}, \"version\": \"9.9\"}"
EOF
chmod +x program
export MLPAC=$PWD/program CALLS=$PWD/calls
mkdir plan data data/train
echo 'task = "features"' >plan/recipe.toml
printf 'lr = 0.5\nkeep-pretrained = true\n' >>plan/recipe.toml
printf 'keep-pretrained = false\nprior = "true"\n' >plan/nnpu.toml
cat >plan/plan.json <<'EOF'
{"name": "pretended", "title": "Pretended",
 "axes": {"recipe": [], "method": ["method"], "ratio": ["ratio"], "seed": ["seed", "label-seed"]},
 "layers": {"recipe": {"plain": "recipe.toml"}, "method": {"nnpu": "nnpu.toml"}},
 "variants": {"w-10": ["--w", "10"]},
 "data": {"elsewhere": {"train": "{data}/none"}, "folders": {"train": "{data}/train"}},
 "bounds": ["supervised"],
 "paper": {"tables": ["tab:cifar10"], "methods": {"mlpac": "MLPAC", "nnpu": "nnPU"}},
 "groups": [
  {"name": "main", "seed": [0, 1], "ratio": [0.5, 0.1], "recipe": "plain", "method": ["mlpac", "nnpu"]},
  {"name": "more", "seed": 0, "ratio": [0.1], "recipe": "plain", "method": ["mlpac"], "variant": ["none", "w-10"]},
  {"name": "bound", "seed": 0, "ratio": null, "recipe": "plain", "method": "supervised"}],
 "report": [
  {"kind": "asked", "title": "Asked", "checks": [
   {"what": "near", "check": "above-paper", "where": {"method": "mlpac"}, "each": -1},
   {"what": "average", "check": "above-paper", "where": {"method": "mlpac"}, "mean": -20},
   {"what": "all", "check": "at-least", "where": {}, "method": "mlpac", "others": ["nnpu"], "share": 1},
   {"what": "none", "check": "nowhere-below", "where": {}, "method": "mlpac", "others": ["nnpu"]},
   {"what": "alive", "check": "above", "where": {"method": "mlpac"}, "above": 90}]},
  {"kind": "compare", "title": "F1", "where": {"recipe": "plain"}},
  {"kind": "details", "title": "Details", "where": {"recipe": "plain"}},
  {"kind": "differences", "title": "Differences", "where": {}, "method": "mlpac", "others": ["nnpu"]},
  {"kind": "contrast", "title": "Weights", "where": {"recipe": "plain", "method": "mlpac", "ratio": [0.1]},
   "rows": {"chosen": {}, "10": {"variant": "w-10"}}}]}
EOF
cells=10  # 8 of the table, one with a given w, the bound
calls() { cat calls 2>/dev/null | wc -l; }
# experiment CODE OPTIONS...: runs the plan; `calls` counts the runs that this made.
experiment() {
  local code=$1
  shift
  rm -f calls calls.config
  expect "$code" "$real" experiment run plan/plan.json $plans --data data --device cpu --jobs 2 --out results "$@"
}
makes() { [ "$(calls)" = "$1" ] || { cat err >&2; fail "$(calls) runs instead of $1"; }; }
lines() { [ "$(wc -l <"$1")" = "$2" ] || fail "$(wc -l <"$1") lines in $1 instead of $2"; }

# Nothing measured yet: a report that says so, and a list.
experiment 0 --cells a.jsonl --report-only
says results/pretended.md "| near | missing | missing |"
json results/pretended.json 'length == 6 and all(.seeds == [] and .f1 == null and (.missing | length) > 0)'
experiment 0 --cells a.jsonl --list
[ "$(grep -c '^missing' out)" = $cells ] || fail "--list: $(cat out)"
[ "$(sed -n 2p out)" = "missing   plain/nnpu/0.5/seed-0" ] || fail "the first axis of a group changes slowest: $(cat out)"

# Everything at once; options come from axes, layers and variants; the data is what is there.
experiment 0 --cells a.jsonl
makes $cells
lines a.jsonl $cells
says err "[$cells/$cells]"
grep -q -- '--method mlpac --ratio 0.1 --seed 0 --label-seed 0 --w 10 --train data/train --device cpu' calls ||
  fail "$(cat calls)"
grep -q -- '--method supervised --seed 0' calls || fail "null leaves the option out: $(cat calls)"
[ "$(grep -c 'keep-pretrained = false' calls.config)" = 4 ] || fail "a later layer overrides: $(cat calls.config)"
says results/pretended.md "| 10 % | **11.0 (0.7)** | 50.2 | 10.5 (0.7) | 44.8 |  |"
says results/pretended.md "| all labels |  |  |  |  | 10.5 (–) |"
says results/pretended.md "| mlpac | 50 % | 50.0 (0.0) |  | 60.0 (0.0) |  | 51.0 (0.7) | 69.8 | -18.8 |"
says results/pretended.md "| all | 2 of 2 cells | reached |"
says results/pretended.md "| near | 0 of 2; lowest -39.2 at 10 % | not reached |"
says results/pretended.md "| 50 % | **+0.5 ± 0.0** ▲ |"
says results/pretended.md "| 10 | 10.5 (–) | 50.0 (–) | 60.0 (–) | +0.0 |"
says results/pretended.md "version 9.9"
json results/pretended.json \
  '.[0] | .recipe == "plain" and .method == "mlpac" and .ratio == 0.5 and .seeds == [0, 1] and .f1.mean == 51'
says results/pretended.html "paper"
says results/pretended.csv "F1,10 %,11.0 (0.7),50.2"
says results/pretended.tex '10 \% & \textbf{11.0 (0.7)} & 50.2'
json results/pretended.json '.[-1] | .variant == "w-10" and .w == [10] and .f1.sd == null'
[ "$(wc -c <a.jsonl)" -lt $((cells * 700)) ] || fail "lines are too long"

# The file alone continues, wherever it is.
mkdir elsewhere && grep '"method":"mlpac"' a.jsonl >elsewhere/cells.jsonl
experiment 0 --cells elsewhere/cells.jsonl --only seed=0 --only group=main,bound
makes 3
says err "next:"
experiment 0 --cells elsewhere/cells.jsonl
makes 2
experiment 0 --cells elsewhere/cells.jsonl
makes 0

# A line that was being written when its writer was killed: said, ignored, repaired.
head -c -20 a.jsonl >torn.jsonl
experiment 0 --cells torn.jsonl --report-only
says err "torn.jsonl:$cells: the last line is incomplete"
experiment 0 --cells torn.jsonl
makes 1
lines torn.jsonl $cells
jq -es "length == $cells" torn.jsonl >/dev/null || fail "torn.jsonl is not repaired"
head -c -1 a.jsonl >unended.jsonl  # only the end of the line is missing: the cell counts
echo '{"kind": "pretended"' | cat - a.jsonl >broken.jsonl
experiment 1 --cells broken.jsonl --report-only
says err "broken.jsonl:1:"

# Other files are merged: what is there stays, and conflicts are said.
sed -n '1,6p' a.jsonl >b.jsonl
sed -n '5,10p' a.jsonl | sed 's/"f1":[0-9.]*/"f1":77.0/' >c.jsonl
experiment 0 --cells b.jsonl --merge c.jsonl --merge unended.jsonl --report-only
says err "c.jsonl: 4 cells added, 2 were there already"
says err "unended.jsonl: 0 cells added, 10 were there already"
[ "$(grep -c '^conflict: .*77.0 in c.jsonl' err)" = 2 ] || fail "conflicts: $(cat err)"
lines b.jsonl $cells
cmp <(head -6 b.jsonl) <(head -6 a.jsonl) || fail "the first does not stay"

# Changed options: the cells are made again, their old lines stay and count again with the old options.
cp a.jsonl d.jsonl
sed -i 's/lr = 0.5/lr = 0.25/' plan/recipe.toml
experiment 0 --cells d.jsonl --list
[ "$(grep -c '^changed' out)" = $cells ] || fail "--list: $(cat out)"
experiment 0 --cells d.jsonl --only method=nnpu
makes 4
lines d.jsonl $((cells + 4))
sed -i 's/lr = 0.25/lr = 0.5/' plan/recipe.toml
experiment 0 --cells d.jsonl
makes 0

# A run that fails stops no other, keeps its error, and is made again on demand.
FAIL='--ratio 0.1 --seed 1' experiment 1 --cells e.jsonl
says err "out of luck"
lines e.jsonl $((cells - 2))
experiment 0 --cells e.jsonl
makes 0
says err "2 cells failed before"
says results/pretended.md "2 missing, 2 of them failed"
experiment 0 --cells e.jsonl --list
[ "$(grep -c '^failed' out)" = 2 ] || fail "--list: $(cat out)"
experiment 0 --cells e.jsonl --retry
makes 2
experiment 0 --cells e.jsonl --list
[ "$(grep -c '^measured' out)" = $cells ] || fail "--list: $(cat out)"

# The time is up, or somebody interrupts: what runs is ended, the rest is made the next time.
start=$(date +%s)
SLOW=30 experiment 0 --cells f.jsonl --seconds 0.5
[ $(($(date +%s) - start)) -lt 10 ] || fail "--seconds is not kept"
makes 2
says err "the time is up: 0 of $cells runs are made"
rm -f calls
SLOW=30 "$real" experiment run plan/plan.json $plans --data data --device cpu --cells f.jsonl --out results >out 2>err &
pid=$!
until [ -s calls ]; do sleep 0.05; done
kill -TERM $pid
code=0 && wait $pid || code=$?
[ $code = 143 ] || fail "exit code $code after an interruption: $(cat err)"
says err "the same command continues"
for process in $(cat calls.processes); do
  ! grep -Eqs "^State:\s+[^ZX[:space:]]" "/proc/$process/status" || fail "a run outlives its experiment"
done
experiment 0 --cells f.jsonl
makes $cells

# Two processes write to one file.
for seed in 0 1; do
  for _ in first second; do
    "$real" experiment run plan/plan.json $plans --data data --device cpu --cells g.jsonl --out results \
      --only seed=$seed >/dev/null 2>&1 &
  done
done
wait
lines g.jsonl $cells
jq -es "length == $cells and (map([.method, .ratio, .seed, .variant]) | unique | length) == $cells" g.jsonl >/dev/null ||
  fail "g.jsonl"

# What cannot be meant is said.
experiment 2 --cells a.jsonl --only method=mplac
says err "no cell of the plan has the method 'mplac'"
experiment 2 --cells a.jsonl --only colour=red
says err "expected AXIS=VALUE"
rm -r data/train
experiment 1 --cells h.jsonl
says err "the data is not there; expected data/none; or data/train"
makes 0
sed 's/"groups"/"group"/' plan/plan.json >plan/wrong.json
expect 1 "$real" experiment run plan/wrong.json $plans --report-only
says err "wrong.json: unknown: group"

# Every plan of the tree can be read, and has cells at some scale.
for scale in here paper; do
  expect 0 "$real" experiment list $plans --scale $scale
  for plan in "$source"/experiments/*/*.json; do says out "$(jq -r .title "$plan")"; done
  cp out "list.$scale"
done
[ -z "$(comm -12 <(grep "only with" list.here | awk "{print \$1}" | sort) <(grep "only with" list.paper | awk "{print \$1}" | sort))" ] || fail "a plan without cells"
