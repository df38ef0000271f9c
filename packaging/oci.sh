#!/usr/bin/env bash
# Makes an OCI image archive of a built program and the files that it needs, without a registry or a container engine:
# packaging/oci.sh BINARY FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
binary=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
files="$work/files"
layout="$work/layout"
umask 022

ship "$binary" "$files/usr/local/bin/tickmark"
# The loader and the libraries that the program names, from this machine.
ldd "$binary" | grep -o '/[^ ]*' | sort -u | while read -r library; do
  install -D -m 755 "$(realpath "$library")" "$files$library"
done
install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$files/etc/ssl/certs/ca-certificates.crt"
install -d -m 700 "$files/var/lib/tickmark"
install -d -m 1777 "$files/tmp"
printf 'root:x:0:0:root:/:/sbin/nologin\ntickmark:x:10001:10001:tickmark:/var/lib/tickmark:/sbin/nologin\n' >"$files/etc/passwd"
printf 'root:x:0:\ntickmark:x:10001:\n' >"$files/etc/group"
install -D -m 644 -t "$files/usr/share/doc/tickmark" "$root/LICENSE-MIT" "$root/LICENSE-APACHE"

mkdir -p "$layout/blobs/sha256"
put() { # a file becomes a blob; prints its digest
  local digest
  digest=$(sha256sum "$1" | cut -d' ' -f1)
  mv "$1" "$layout/blobs/sha256/$digest"
  echo "$digest"
}
size() { stat --format=%s "$layout/blobs/sha256/$1"; }

# Everything is root's but the data folder.
order=(--sort=name --mtime="@$SOURCE_DATE_EPOCH" --numeric-owner)
tar -C "$files" "${order[@]}" --owner=0 --group=0 --exclude=./var/lib/tickmark -cf "$work/layer.tar" .
tar -C "$files" "${order[@]}" --owner=10001 --group=10001 -rf "$work/layer.tar" ./var/lib/tickmark
unpacked=$(sha256sum "$work/layer.tar" | cut -d' ' -f1)
gzip -6n "$work/layer.tar"
layer=$(put "$work/layer.tar.gz")

jq -cn --arg unpacked "sha256:$unpacked" --arg architecture "$deb_architecture" \
  --arg created "$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)" '{
  created: $created, architecture: $architecture, os: "linux",
  config: {User: "10001:10001", Entrypoint: ["/usr/local/bin/tickmark"], Cmd: ["serve"], WorkingDir: "/var/lib/tickmark",
    Env: ["TICKMARK_DATA=/var/lib/tickmark", "TICKMARK_LOG_FORMAT=json", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"],
    ExposedPorts: {"8443/tcp": {}}, Volumes: {"/var/lib/tickmark": {}}, StopSignal: "SIGTERM"},
  rootfs: {type: "layers", diff_ids: [$unpacked]}}' >"$work/config"
config=$(put "$work/config")
jq -cn --arg config "sha256:$config" --argjson config_size "$(size "$config")" \
  --arg layer "sha256:$layer" --argjson layer_size "$(size "$layer")" '{
  schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json",
  config: {mediaType: "application/vnd.oci.image.config.v1+json", digest: $config, size: $config_size},
  layers: [{mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", digest: $layer, size: $layer_size}]}' >"$work/manifest"
manifest=$(put "$work/manifest")
jq -cn --arg manifest "sha256:$manifest" --argjson size "$(size "$manifest")" --arg name "tickmark:$version" '{
  schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json",
  manifests: [{mediaType: "application/vnd.oci.image.manifest.v1+json", digest: $manifest, size: $size,
    annotations: {"org.opencontainers.image.ref.name": $name}}]}' >"$layout/index.json"
echo '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
archive="$out/tickmark_${version}_$deb_architecture.oci.tar"
tar -C "$layout" "${order[@]}" --owner=0 --group=0 -cf "$archive" oci-layout index.json blobs
echo "$archive"
