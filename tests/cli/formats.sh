# Every format from file to predictions, hiding, known negatives, event files, and the pages made from the tables.
. "$(dirname "$0")/lib.sh"
source=${SOURCE:?root of the source tree}
small data

# The page of options is the one the program prints.
"$mlpac" docs options | cmp - "$source/docs/options.md" || fail "docs/options.md is out of date: mlpac docs options >docs/options.md"
"$mlpac" docs completion | bash -n || fail "the completion is no bash"
"$mlpac" docs man >man.1 && grep -q '^.TH MLPAC 1' man.1 || fail "the man page"

# hide: counts, versions, the same draw again, other formats
expect 0 "$mlpac" hide --data data/train.arff --labels data/labels.xml --ratio 0.25 --versions 2 --out part.arff
kept=$(awk '{ print $2 }' out | sort -u) && all=$(awk '{ print $4 }' out | sort -u)
[ "$kept" = "$((all / 4))" ] || fail "hide kept $kept of $all"
cmp -s <(tail -n +2 part-0.arff) <(tail -n +2 part-1.arff) && fail "two versions are the same"
expect 0 "$mlpac" hide --data data/train.arff --labels data/labels.xml --ratio 0.25 --out again.arff
cmp <(tail -n +2 part-0.arff) <(tail -n +2 again.arff) || fail "the same seed hides other labels"
expect 1 "$mlpac" hide --data data/train.arff --labels data/labels.xml --ratio 0.25 --out again.arff
expect 0 "$mlpac" hide --data data/train.arff --labels data/labels.xml --ratio 1 --out full.svm
expect 0 "$mlpac" hide --data full.svm --ratio 0.5 --hide per-class --out part.svm

# libsvm: the labels are numbers, columns are matched by number
expect 0 "$mlpac" train --train part.svm --out svm $quick
expect 0 "$mlpac" evaluate svm --data full.svm --json
json out '.classes | length == 6'
says svm/config.toml 'hide = "exact"'

# CSV with label columns and with a list, the same rows
{ echo "name,a,b,kind,y1,y2"; for i in $(seq 120); do
  echo "r$i,$((i % 7)).5,$((i * i % 11)),$([ $((i % 3)) = 0 ] && echo red || echo blue),$([ $((i % 3)) = 0 ] && echo 1 || echo 0),$([ $((i % 7)) -gt 3 ] && echo 1 || echo -1)"
done; } >columns.csv
awk -F, 'NR == 1 { print "name;a;b;kind;tags"; next } { print $1 ";" $2 ";" $3 ";" $4 ";\"" ($5 == 1 ? "y1," : "") ($6 == 1 ? "y2" : "!y2") "\"" }' columns.csv >list.csv
expect 0 "$mlpac" train --train columns.csv --label-columns 'y*' --id name --out c1 --method pos-weight $quick
expect 0 "$mlpac" train --train list.csv --label-list tags --id name --out c2 --method pos-weight $quick
cmp c1/model.safetensors c2/model.safetensors || fail "columns and list of labels give other models"
cut -d, -f1-4 columns.csv >new.csv
expect 0 "$mlpac" predict c1 --data new.csv --out p.csv
says p.csv "r3,y1,"
expect 0 "$mlpac" info columns.csv --label-columns 'y*'
says out "known negatives"
expect 0 "$mlpac" hide --data list.csv --label-list tags --ratio 0.5 --out half.csv
[ "$(cut -d';' -f1-4 half.csv)" = "$(cut -d';' -f1-4 list.csv)" ] || fail "hide changed other cells"

# text
for i in $(seq 80); do
  [ $((i % 2)) = 0 ] && echo "__label__fruit the apple and the pear number $i" || echo "__label__tool a hammer or a saw number $i"
done >text.txt
expect 0 "$mlpac" train --train text.txt --out t --method pos-weight --epochs 20 --batch 16 --device cpu --quiet
printf 'an apple\nthe saw\n' >plain.txt
expect 0 "$mlpac" predict t --data plain.txt --all
jq -es '.[0].labels.fruit > .[0].labels.tool and .[1].labels.tool > .[1].labels.fruit' out >/dev/null || fail "text: $(cat out)"

# event files
[ "$(find c1/tb -name '*tfevents*' -size +100c | wc -l)" = 1 ] || fail "no event file"

# bad input: one line on stderr, exit 1, nothing left behind
bad() { # bad TEXT FILE OPTIONS...
  local text=$1 file=$2
  shift 2
  expect 1 "$mlpac" train --train "$file" --out bad "$@"
  says err "$text"
  [ "$(wc -l <err)" = 1 ] || fail "more than one line of error: $(cat err)"
  [ -e bad ] && fail "$file left a run folder behind"
  return 0
}
: >empty.csv
head -c 5000 /dev/urandom >noise.bin
printf 'a,y\n1,1\n2\n' >short.csv
bad "empty" empty.csv
bad "folder" data
bad "no such file" nowhere.csv
bad "not recognised" noise.bin
bad "short.csv:3" short.csv --label-columns y
bad "did you mean" columns.csv --label-columns y1,kinds
bad "--label-list" columns.csv
bad "256 MB" <(yes | tr -d '\n') --format csv --label-columns y
bad "256 MB" <(yes | tr -d '\n') --format libsvm
bad "cannot be read from a pipe" <(yes) --format numpy
