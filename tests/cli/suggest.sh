# mlpac suggest: out of fold on partially annotated data, by a finished run, budgets, copies with the labels added.
. "$(dirname "$0")/lib.sh"
"$mlpac" generate --rows 800 --test-rows 200 --features 10 --classes 4 --positives 1 --noise 0.1 --out data >/dev/null 2>&1
quick="--epochs 8 --pretrain-epochs 8 --widths 32 --batch 32 --candidates 4 --device cpu --quiet"
half="--train data/train.arff --labels data/labels.xml --ratio 0.5 --parts 2 $quick"

# Out of fold: the models are kept, and used again.
expect 0 "$mlpac" suggest $half --out s.jsonl --json
json out '.suggestions > 20 and .missing > 100 and (.precision | length) >= 2'
json out '.annotated_share > 0.2 and .annotated_share < 0.9'
json out '.precision[0] | .first == 100 and .true > 40 and .estimated > 20'
jq -es 'map(.probability) | . == (sort | reverse)' s.jsonl >/dev/null || fail "not sorted"
jq -es 'map(.rank) == [range(1; length + 1)]' s.jsonl >/dev/null || fail "ranks"
jq -es 'map([.row, .label]) | length == (unique | length)' s.jsonl >/dev/null || fail "suggested twice"
jq -es 'all(.critic != null and .agreement <= 1 and .agreement >= 0)' s.jsonl >/dev/null || fail "no critic"
[ -f s.jsonl.runs/part-1/model.json ] && [ -f s.jsonl.runs/part-2/result.json ] || fail "the models are not there"
expect 1 "$mlpac" suggest $half --out s.jsonl
says err "s.jsonl: exists already; overwrite it with --force"
stamp=$(stat -c %Y%s s.jsonl.runs/part-1/model.safetensors)
expect 0 "$mlpac" suggest $half --out again.jsonl --runs s.jsonl.runs --json
cmp s.jsonl again.jsonl || fail "the same models suggest something else"
[ "$stamp" = "$(stat -c %Y%s s.jsonl.runs/part-1/model.safetensors)" ] || fail "trained again"
expect 1 "$mlpac" suggest $half --seed 2 --out other.jsonl --runs s.jsonl.runs
says err "part-1: holds a run with other options"

# A policy that forgot leaves a committee of itself and what it began with; the critics are fewer.
expect 0 "$mlpac" suggest $half --lr 0.3 --out mixed.jsonl --limit 20
json mixed.jsonl.runs/part-1/result.json '.selection.mix != "policy"'
jq -es 'length == 20 and all(.critic != null)' mixed.jsonl >/dev/null || fail "no critic beside a committee"

# Budgets, CSV, stdout, other rankings.
expect 0 "$mlpac" suggest $half --runs s.jsonl.runs --out t.csv --limit 30 --per-label 10 --per-row 1
[ "$(wc -l <t.csv)" = 31 ] || fail "$(wc -l <t.csv) lines"
[ "$(head -1 t.csv)" = "rank,row,id,label,probability,policy,critic,agreement" ] || fail "$(head -1 t.csv)"
[ "$(tail -n +2 t.csv | cut -d, -f4 | sort | uniq -c | sort -n | tail -1 | awk '{print $1}')" -le 10 ] || fail "per label"
[ "$(tail -n +2 t.csv | cut -d, -f2 | sort | uniq -d | wc -l)" = 0 ] || fail "per row"
says out "30 suggestions; about"
expect 0 "$mlpac" suggest $half --runs s.jsonl.runs --out - --min-precision 0.8
jq -es 'length > 0 and (map(.probability) | add / length) >= 0.8' out >/dev/null || fail "--min-precision"
expect 0 "$mlpac" suggest $half --runs s.jsonl.runs --out known.jsonl --limit 30 --annotated-share 0.9 --json
jq -e '.annotated_share == 0.9' out >/dev/null || fail "--annotated-share: $(cat out)"
expect 0 "$mlpac" suggest $half --runs s.jsonl.runs --out t.csv --limit 30 --force
[ "$stamp" = "$(stat -c %Y%s s.jsonl.runs/part-1/model.safetensors)" ] || fail "--force removed models that fit"
expect 2 "$mlpac" suggest $half --runs s.jsonl.runs --out t.jsonl --rank score --min-precision 0.5
says err "precision is only estimated by --rank calibrated"
for rank in score confident-learning; do
  expect 0 "$mlpac" suggest $half --runs s.jsonl.runs --out $rank.jsonl --rank $rank --limit 50
  [ "$(wc -l <$rank.jsonl)" = 50 ] || fail "$rank"
done

# A copy with the labels added: read again, it has exactly the annotations and the suggestions.
"$mlpac" hide --data data/train.arff --labels data/labels.xml --ratio 0.5 --out partial.arff >/dev/null
cp partial.arff before.arff
expect 0 "$mlpac" suggest --train partial.arff --labels data/labels.xml --parts 2 $quick --out u.jsonl --limit 40 \
  --apply full.arff
cmp partial.arff before.arff || fail "the data was changed"
count() { "$mlpac" info "$1" --labels data/labels.xml 2>/dev/null | grep -oE '[0-9]+ annotated positives' | head -1 | cut -d' ' -f1; }
[ "$(count full.arff)" = $(($(count partial.arff) + 40)) ] || fail "$(count full.arff) labels in the copy"
jq -es '.[0].added == 40 and .[0].data == "partial.arff" and length == 41' full.arff.added.jsonl >/dev/null ||
  fail "provenance"
expect 2 "$mlpac" suggest --train partial.arff --labels data/labels.xml --out v.jsonl --apply partial.arff --force
says err "the data itself is never changed"

# A finished run and rows it has not seen.
expect 0 "$mlpac" train --train partial.arff --labels data/labels.xml $quick --out run
"$mlpac" hide --data data/test.arff --labels data/labels.xml --ratio 0.5 --out unseen.arff >/dev/null
expect 0 "$mlpac" suggest run --data unseen.arff --out w.jsonl --device cpu
says out "suggestions; about"
expect 0 "$mlpac" suggest run --data unseen.arff --out w.csv --limit 7 --apply seen.arff --device cpu
[ "$(count seen.arff)" = $(($(count unseen.arff) + 7)) ] || fail "a run added other labels"
grep -q '^<svg .*' w.csv.reliability.svg || fail "no reliability plot"
expect 2 "$mlpac" suggest --train data/train.arff --labels data/labels.xml --ratio 0.5 --out v.jsonl --apply w.arff
says err "the labels that --ratio hides are in the file already"
expect 2 "$mlpac" suggest --out x.jsonl
says err "expected RUN --data FILE"
expect 2 "$mlpac" suggest run --data unseen.arff
says err "--out FILE is needed"

# Interrupted, the same command continues, and suggests what it would have suggested.
slow="--train data/train.arff --labels data/labels.xml --ratio 0.5 --parts 2 --epochs 60 --pretrain-epochs 2 --widths 16
  --batch 16 --candidates 2 --device cpu --quiet"
expect 0 "$mlpac" suggest $slow --out z.jsonl
"$mlpac" suggest $slow --out y.jsonl >out 2>err &
pid=$!
for _ in $(seq 400); do
  if [ -s y.jsonl.runs/part-1/metrics.jsonl ]; then break; fi
  sleep 0.02
done
kill -INT $pid
code=0 && wait $pid || code=$?
[ $code = 130 ] || fail "exit code $code after an interruption: $(cat err)"
[ ! -f y.jsonl ] || fail "suggestions of an interrupted command"
expect 0 "$mlpac" suggest $slow --out y.jsonl
cmp y.jsonl z.jsonl || fail "interrupted and continued, it suggests something else"
