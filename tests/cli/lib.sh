# Helpers of the command-line tests: a scratch folder, and checks that say what went wrong.
set -euo pipefail
mlpac=${MLPAC:?path of the program}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
# expect CODE COMMAND...: runs it with stdout in `out` and stderr in `err`, and checks the exit code.
expect() {
  local want=$1 got=0
  shift
  "$@" >out 2>err || got=$?
  [ "$got" = "$want" ] || { cat out err >&2; fail "exit code $got instead of $want: $*"; }
}
# says FILE TEXT: the file contains the text.
says() { grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "'$2' is not in $1"; }; }
# json FILE EXPRESSION: the jq expression is true.
json() { jq -e "$2" "$1" >/dev/null || { cat "$1" >&2; fail "$2 does not hold in $1"; }; }
# small NAME: a little data set in the folder NAME.
small() { "$mlpac" generate --rows 300 --test-rows 200 --features 12 --classes 6 --positives 1.5 --out "$1" >/dev/null 2>&1; }
# A quick run on it.
quick="--epochs 4 --pretrain-epochs 2 --widths 16 --batch 32 --candidates 4 --device cpu --quiet"
