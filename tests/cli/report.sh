# mlpac report: pages about one run and about several.
. "$(dirname "$0")/lib.sh"
small data
files="--train data/train.arff --labels data/labels.xml --test data/test.arff"
for method in mlpac negative; do
  expect 0 "$mlpac" train $files $quick --method $method --ratio 0.3 --out runs/$method
done
json runs/mlpac/result.json '.classes | length == 6 and all(.label != "" and .positives >= 0 and .f1 <= 100 and .ap >= 0)'
# What is shown of complete labels: only where labels were hidden, and consistent with itself.
[ "$(jq -s '[.[] | select(.true_f1 != null)] | length > 0 and all(.true_precision >= 0 and .true_recall <= 100)' runs/mlpac/metrics.jsonl)" = true ] ||
  fail "no true_f1: $(head -2 runs/mlpac/metrics.jsonl)"
expect 0 "$mlpac" train $files $quick --method negative --out runs/complete
[ "$(jq -s 'all(.true_f1 == null and .annotated_recall != null)' runs/complete/metrics.jsonl)" = true ] || fail "nothing was hidden"

expect 0 "$mlpac" report runs/mlpac --out one.html
[ "$(cat out)" = one.html ] || fail "the page is the result: $(cat out)"
says one.html "<!DOCTYPE html>"
says one.html "Score versus w"
says one.html "Enhanced labels"
says one.html "$(jq -r '.test.f1 * 10 | round / 10' runs/mlpac/result.json | sed 's/\.0$//')"
expect 0 "$mlpac" report runs/mlpac runs/negative runs/complete --out three.html
says three.html "Options that differ"
says three.html "<code>ratio</code>"
expect 0 "$mlpac" report runs/mlpac --out -
cmp out one.html || fail "stdout differs from the file"

expect 1 "$mlpac" report runs/mlpac --out one.html
says err "exists already"
expect 0 "$mlpac" report runs/negative --out one.html --force
expect 1 "$mlpac" report data --out other.html
says err "data: not a run folder"
expect 1 "$mlpac" report runs/none --out other.html
[ ! -e other.html ] || fail "a page without a run"
expect 2 "$mlpac" report --out x.html
says err "RUN is missing"
expect 2 "$mlpac" report runs/mlpac
says err "--out PAGE.html is needed"
printf '{"test": 3}' >runs/negative/result.json
expect 1 "$mlpac" report runs/negative --out other.html
says err "runs/negative"
