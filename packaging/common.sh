# What the scripts beside it share.
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' "$root/Cargo.toml")
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}"

# Debian's and OCI's names for this machine.
case "$(uname -m)" in
  x86_64) deb_architecture=amd64 ;;
  aarch64) deb_architecture=arm64 ;;
  *) echo "no packages for $(uname -m)" >&2; exit 1 ;;
esac

# Puts a program where it ships from, without symbols; release.sh keeps them in a file of their own.
ship() { # the program as it was built, and where it goes
  install -D -m 755 "$1" "$2"
  strip --strip-all "$2"
}
