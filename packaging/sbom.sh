#!/usr/bin/env bash
# Prints the bill of materials (CycloneDX 1.5) of what is compiled into the program: crates of the lock file that the
# program really has, and the models with their checksums.
set -euo pipefail
source "$(dirname "$0")/common.sh"
cd "$root"
tree=$(cargo tree --locked --package server --edges normal --prefix none --no-dedupe --format '{p}' | sed 's/ (.*//' | sort -u)
models=$(cd models && find . -type f \( -name '*.onnx' -o -name '*.json' -o -name '*.txt' -o -name '*.bin' \) ! -name 'LICENSE*' -exec sha256sum {} + | sort -k2)
platform=$(rustc -vV | sed -n 's/^host: //p')
cargo metadata --locked --format-version 1 --filter-platform "$platform" | jq --arg tree "$tree" --arg models "$models" --arg version "$version" \
  --arg time "$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)" '
  ($tree | split("\n") | map(select(. != "")) | map({(.): true}) | add) as $used
  | (.packages | map(select($used["\(.name) v\(.version)"] and .source != null)) | sort_by(.name, .version)) as $crates
  | {bomFormat: "CycloneDX", specVersion: "1.5", version: 1,
     metadata: {timestamp: $time, component: {type: "application", name: "tickmark", version: $version,
       licenses: [{expression: "MIT OR Apache-2.0"}]}},
     components: (
       ($crates | map({type: "library", name: .name, version: .version, purl: "pkg:cargo/\(.name)@\(.version)"}
         + (if .license then {licenses: [{expression: (.license | gsub("/"; " OR "))}]} else {} end)))
       + ($models | split("\n") | map(select(. != "") | split("  ") | {type: "machine-learning-model",
           name: (.[1] | ltrimstr("./")), hashes: [{alg: "SHA-256", content: .[0]}]})))}'
