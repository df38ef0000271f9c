#!/usr/bin/env bash
# What building and shipping cost: packaging/cost.sh [BINARY]
# Builds `cargo run --release`'s program from nothing and says the processor time; then says how large what ships is
# besides the weights of the judges of points. With BINARY, a `dist` program that is built already, only the second.
set -euo pipefail
source "$(dirname "$0")/common.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
binary=${1:+$(realpath "$1")}
cd "$root"
if [ -z "$binary" ]; then
  TIMEFORMAT='%U %S'
  spent=$({ time CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$work/target" cargo build --quiet --release 2>"$work/log"; } 2>&1) ||
    { cat "$work/log" >&2; exit 1; }
  echo "$spent" | awk '{ printf "release build from nothing: %.1f CPU-minutes (at most 15)\n", ($1 + $2) / 60 }'
  rm -rf "$work/target"
  cargo build --quiet --profile dist --locked --package server --bin tickmark
  binary="$(cargo metadata --format-version 1 --no-deps | jq -r .target_directory)/dist/tickmark"
fi
ship "$binary" "$work/tickmark"
judges=$("$work/tickmark" --json models | jq '[.[] | select(.file | startswith("judge/") or startswith("larger-judge/")) | .bytes] | add')
all=$(stat -c %s "$work/tickmark")
awk -v all="$all" -v judges="$judges" 'BEGIN { printf "shipped program: %.0f MB, besides the judges'"'"' weights %.1f MB (at most 110)\n", all / 1e6, (all - judges) / 1e6 }'
