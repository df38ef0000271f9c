#!/usr/bin/env bash
# Makes everything that is published for a version: packaging/release.sh FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
mkdir -p "$1"
out=$(realpath "$1")
cd "$root"
cargo build --profile dist --locked --package server --bin tickmark
target=$(cargo metadata --format-version 1 --no-deps | jq -r .target_directory)
binary="$target/dist/tickmark"

name="tickmark-$version-$(uname -m)-linux"
install -m 755 "$binary" "$out/$name"
strip --strip-debug "$out/$name"
xz -9 --keep --stdout "$target/dist/tickmark.dwp" >"$out/$name.dwp.xz"
packaging/deb.sh "$binary" "$out"
packaging/oci.sh "$binary" "$out"
packaging/sbom.sh >"$out/tickmark-$version.cdx.json"
cp openapi.json "$out/tickmark-$version.openapi.json"
(cd "$out" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
cat "$out/SHA256SUMS"
