#!/usr/bin/env bash
# Makes everything that is published for a version: packaging/release.sh FOLDER
# With BINARY=PATH of a program that is built already, as the tests do it.
set -euo pipefail
source "$(dirname "$0")/common.sh"
mkdir -p "$1"
out=$(realpath "$1")
[ -z "$(ls -A "$out")" ] || { echo "release: $out is not empty, and what lies there would be published too" >&2; exit 1; }
binary=${BINARY:+$(realpath "$BINARY")}
cd "$root"
if [ -z "$binary" ]; then
  cargo build --profile dist --locked --package server --bin tickmark
  binary="$(cargo metadata --format-version 1 --no-deps | jq -r .target_directory)/dist/tickmark"
fi
"$binary" --version | grep -qF "$version" || { echo "release: $binary is not version $version" >&2; exit 1; }

name="tickmark-$version-$(uname -m)-linux"
ship "$binary" "$out/$name"
# `gdb -s` and `addr2line -e` read it beside the program of the same build id.
objcopy --only-keep-debug "$binary" "$out/$name.debug"
xz -T0 -6 "$out/$name.debug"
packaging/deb.sh "$binary" "$out"
packaging/oci.sh "$binary" "$out"
packaging/sbom.sh >"$out/tickmark-$version.cdx.json"
cp openapi.json "$out/tickmark-$version.openapi.json"
(cd "$out" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
cat "$out/SHA256SUMS"
