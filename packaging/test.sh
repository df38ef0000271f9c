#!/usr/bin/env bash
# Makes a release of a built program and checks its sums; installs, upgrades, removes and purges the Debian package in a
# folder of its own, runs the image's files, and checks the bill of materials: packaging/test.sh BINARY
set -euo pipefail
source "$(dirname "$0")/common.sh"
binary=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
fail() { echo "packaging: $*" >&2; exit 1; }

echo "-- a release of the program as it is"
export DEB_COMPRESSION=none # what ships is packed tightly; here that would only take time
release="$work/release"
BINARY="$binary" packaging/release.sh "$release" >"$work/release.out" || { cat "$work/release.out"; fail "no release"; }
(cd "$release" && sha256sum --check --quiet SHA256SUMS) || fail "a checksum is wrong"
[ "$(grep -c . "$release/SHA256SUMS")" = "$(($(find "$release" -type f | wc -l) - 1))" ] || fail "a file has no checksum"
"$release/tickmark-$version-$(uname -m)-linux" --version | grep -q "$version" || fail "the program of the release does not run"
if BINARY="$binary" packaging/release.sh "$release" >/dev/null 2>&1; then fail "an earlier release was mixed with this one"; fi

echo "-- Debian package: install, upgrade, remove, purge"
first=$(find "$release" -name '*.deb')
second=$(packaging/deb.sh "$binary" "$work" "$version+1")
system="$work/system"
mkdir -p "$system"/var/lib/dpkg/{info,updates,triggers} "$system/var/log"
touch "$system/var/lib/dpkg/status" "$system/var/lib/dpkg/available"
package() {
  dpkg --root="$system" --log="$work/dpkg.log" --force-not-root --force-bad-path --force-depends \
    --force-script-chrootless --force-confdef --force-confold "$@" >"$work/dpkg.out" 2>&1 || { cat "$work/dpkg.out"; fail "dpkg $*"; }
}
installed() { dpkg-query --root="$system" --showformat='${db:Status-Status} ${Version}' --show tickmark; }

package --install "$first"
[ "$(installed)" = "installed $version" ] || fail "not installed: $(installed)"
program="$system/usr/bin/tickmark"
"$program" --version | grep -q "$version" || fail "the installed program does not run"
"$program" --config "$system/etc/tickmark/tickmark.toml" config check >/dev/null || fail "the installed settings are refused"
grep -q "^ExecStart=/usr/bin/tickmark " "$system/usr/lib/systemd/system/tickmark.service" || fail "the unit starts something else"
[ "$(stat -c %a "$system/var/lib/tickmark")" = 700 ] || fail "the data folder is open"
zcat "$system/usr/share/man/man1/tickmark.1.gz" | grep '^.TH tickmark' >/dev/null || fail "no manual page"
[ -s "$system/usr/share/bash-completion/completions/tickmark" ] || fail "no completions"

echo "log_format = \"json\"" >"$system/etc/tickmark/tickmark.toml"
touch "$system/var/lib/tickmark/kept"
package --install "$second"
[ "$(installed)" = "installed $version+1" ] || fail "not upgraded: $(installed)"
grep -q '^log_format = "json"$' "$system/etc/tickmark/tickmark.toml" || fail "an upgrade overwrote the settings"
package --remove tickmark
[ ! -e "$program" ] || fail "the program is still there"
[ -e "$system/etc/tickmark/tickmark.toml" ] || fail "removing took the settings"
package --purge tickmark
[ ! -e "$system/etc/tickmark" ] || fail "purging left the settings"
[ -e "$system/var/lib/tickmark/kept" ] || fail "purging took the data"

echo "-- OCI image"
archive=$(find "$release" -name '*.oci.tar')
mkdir "$work/image" "$work/rootfs"
tar -C "$work/image" -xf "$archive"
blob() { echo "$work/image/blobs/sha256/${1#sha256:}"; }
manifest=$(jq -r '.manifests[0].digest' "$work/image/index.json")
for digest in "$manifest" $(jq -r '.config.digest, .layers[].digest' "$(blob "$manifest")"); do
  echo "${digest#sha256:}  $(blob "$digest")" | sha256sum --check --quiet || fail "a blob is not what its name says"
done
layer=$(jq -r '.layers[0].digest' "$(blob "$manifest")")
tar -C "$work/rootfs" --no-same-owner -xzf "$(blob "$layer")"
if command -v podman >/dev/null 2>&1; then
  podman load --quiet --input "$archive" >/dev/null && podman run --rm "tickmark:$version" --version | grep -q "$version" || fail "the image does not run"
elif unshare --user --map-root-user true 2>/dev/null; then
  # No engine: the files alone must be enough to run the program.
  unshare --user --map-root-user chroot "$work/rootfs" /usr/local/bin/tickmark --version | grep -q "$version" || fail "the image's files do not suffice"
elif [ "$(id -u)" = 0 ]; then
  chroot "$work/rootfs" /usr/local/bin/tickmark --version | grep -q "$version" || fail "the image's files do not suffice"
else
  echo "neither podman nor a namespace of our own: the image was built and checked, but not run"
fi

echo "-- bill of materials"
bill=$(find "$release" -name '*.cdx.json')
jq -e '.components | (map(select(.type == "library")) | length) > 100
  and all(.type != "library" or .licenses != null)' "$bill" >/dev/null || fail "the bill of materials is incomplete"
held=$("$binary" --json models | jq -r '.[] | "\(.sha256) \(.file)"' | sort)
listed=$(jq -r '.components[] | select(.type == "machine-learning-model") | "\(.hashes[0].content) \(.name)"' "$bill" | sort)
[ "$held" = "$listed" ] || fail "the bill of materials lists other weights than the program holds"
echo "-- packages work"
