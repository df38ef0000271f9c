#!/usr/bin/env bash
# Makes a Debian package of a built program: packaging/deb.sh BINARY FOLDER [VERSION]
set -euo pipefail
source "$(dirname "$0")/common.sh"
binary=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
version=${3:-$version}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
umask 022

ship "$binary" "$stage/usr/bin/tickmark"
install -d "$stage/usr/lib/systemd/system" "$stage/etc/tickmark" "$stage/usr/share/doc/tickmark"
sed -e '/^#   /d' -e 's|/usr/local/bin/|/usr/bin/|g' "$root/deploy/tickmark.service" >"$stage/usr/lib/systemd/system/tickmark.service"
"$binary" config default >"$stage/etc/tickmark/tickmark.toml"
install -d "$stage/usr/share/man/man1" "$stage/usr/share/bash-completion/completions" \
  "$stage/usr/share/zsh/vendor-completions" "$stage/usr/share/fish/vendor_completions.d"
"$binary" man | gzip -9n >"$stage/usr/share/man/man1/tickmark.1.gz"
"$binary" completions bash >"$stage/usr/share/bash-completion/completions/tickmark"
"$binary" completions zsh >"$stage/usr/share/zsh/vendor-completions/_tickmark"
"$binary" completions fish >"$stage/usr/share/fish/vendor_completions.d/tickmark.fish"
gzip -9nc "$root/CHANGELOG.md" >"$stage/usr/share/doc/tickmark/changelog.gz"
cat "$root/LICENSE-MIT" "$root/LICENSE-APACHE" "$root"/models/README.md "$root"/models/*/README.md >"$stage/usr/share/doc/tickmark/copyright"

install -d "$stage/DEBIAN"
install -m 755 "$root"/packaging/deb/{postinst,prerm,postrm} "$stage/DEBIAN/"
echo /etc/tickmark/tickmark.toml >"$stage/DEBIAN/conffiles"
cat >"$stage/DEBIAN/control" <<CONTROL
Package: tickmark
Version: $version
Architecture: $deb_architecture
Maintainer: The Tickmark founders <tickmark@example.org>
Installed-Size: $(du -sk --exclude=DEBIAN "$stage" | cut -f1)
Depends: libc6 (>= 2.34), libgcc-s1, passwd
Recommends: ca-certificates
Suggests: postgresql
Section: education
Priority: optional
Description: marks students' answer scripts against a marking scheme
 Reads question papers, marking schemes and scripts that were typed, scanned or
 photographed, and gives each mark with its evidence, over an HTTP/JSON API.
 Nothing else is needed: the database is a file, or PostgreSQL.
CONTROL
find "$stage" -newermt "@$SOURCE_DATE_EPOCH" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
package="$out/tickmark_${version}_$deb_architecture.deb"
dpkg-deb --root-owner-group "-Z${DEB_COMPRESSION:-xz}" --build "$stage" "$package" >/dev/null
echo "$package"
