# mlpac review: the page and its limits, the journal, copies with what was accepted.
. "$(dirname "$0")/lib.sh"
tests=$(dirname "$0")
python3 "$tests/review_data.py" made 300 >/dev/null
read="--data made/data.csv --label-list topics --id ticket"

# Wrong usage.
expect 2 "$mlpac" review
says err "S, the file that mlpac suggest --out wrote, is missing"
expect 2 "$mlpac" review made/list.csv
says err "--data FILE is needed"
expect 1 "$mlpac" review made/data.csv $read
says err "there is no column row"
expect 1 "$mlpac" review made/list.csv $read --export x.csv
says err "nothing was decided yet"

# A program without the HTTP library says so; the rest of this test needs it.
python3 "$tests/review_data.py" probe 30 >/dev/null
"$mlpac" review probe/list.csv --data probe/data.csv --label-list topics --id ticket >out 2>err &
pid=$!
for _ in $(seq 200); do
  if [ -s out ] || ! kill -0 $pid 2>/dev/null; then break; fi
  sleep 0.05
done
kill $pid 2>/dev/null || true
wait $pid || true
if grep -q "built without cpp-httplib" err; then
  echo "skipped: the program was built without cpp-httplib"
  exit 0
fi
says out "http://127.0.0.1:"

python3 "$tests/review_server.py" "$mlpac" made || fail "server"

# Decisions by hand: what is accepted is in the copy, and nothing else.
line() { sed -n "$(($1 + 1))p" made/list.csv; }
journal=made/by-hand.jsonl
head -1 made/list.csv.decisions.jsonl >$journal
decide() { # VERDICT RANK
  line "$2" | python3 -c 'import csv, json, sys
rank, row, id, label, p = next(csv.reader(sys.stdin))[:5]
print(json.dumps({"decision": sys.argv[1], "row": int(row), "id": id, "label": label, "probability": float(p), "time": "t"}))' "$1" >>$journal
}
decide accept 1 && decide reject 2 && decide skip 3 && decide accept 4 && decide accept 5 && decide undo 5 && decide reject 4
decide accept 4 && decide accept 7
before=$(md5sum made/data.csv)
expect 0 "$mlpac" review made/list.csv $read --journal $journal --export better.csv
says out "better.csv  3 labels added; 1 rejected"
[ "$before" = "$(md5sum made/data.csv)" ] || fail "the data was changed"
python3 - <<'END' || fail "the copy has other labels"
import csv
labels = lambda path: {(row["ticket"], label) for row in csv.DictReader(open(path)) for label in row["topics"].split("|") if label}
suggested = [(row["id"], row["label"]) for row in csv.DictReader(open("made/list.csv"))]
assert labels("better.csv") - labels("made/data.csv") == {suggested[0], suggested[3], suggested[6]}
assert labels("made/data.csv") <= labels("better.csv")
strip = lambda path: [[row[c] for c in ("ticket", "message", "days")] for row in csv.DictReader(open(path))]
assert strip("better.csv") == strip("made/data.csv")
END
jq -es '.[0].added == 3 and length == 4 and all(.[1:][]; .accepted == "t")' better.csv.added.jsonl >/dev/null || fail "provenance"
expect 1 "$mlpac" review made/list.csv $read --journal $journal --export better.csv
says err "exists already; overwrite it with --force"
expect 2 "$mlpac" review made/list.csv $read --journal $journal --export made/data.csv --force
says err "the data itself is never changed"
