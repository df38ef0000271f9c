#!/usr/bin/env bash
# Stands in for rustdoc where `cargo test` looks for examples in documents: checks the document itself as well, links and
# all. `cargo doc` would do the same, and compile every dependency once more for it.
set -euo pipefail
real=${REAL_RUSTDOC:-rustdoc}
"$real" "$@"
document=() skip=0 is_test=0
for argument in "$@"; do
  if [ "$skip" = 1 ]; then skip=0; continue; fi
  case "$argument" in
    --test) is_test=1 ;;
    --test-run-directory | --test-args) skip=1 ;;
    --test-run-directory=* | --test-args=*) ;;
    *) document+=("$argument") ;;
  esac
done
[ "$is_test" = 1 ] || exit 0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$real" "${document[@]}" -D warnings --out-dir "$out"
