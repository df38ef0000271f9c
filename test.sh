#!/usr/bin/env bash
# Checks everything: format, lints, arrows between crates, documents, all tests on both databases, clients and packages.
# Needs Rust and Debian (or Ubuntu); installs what else it needs.
set -euo pipefail
cd "$(dirname "$0")"

validator="${XDG_CACHE_HOME:-$HOME/.cache}/tickmark/validator/bin/openapi-spec-validator"

need() { # a program or file that shows the package is there, then the packages
  local probe=$1; shift
  if command -v "$probe" >/dev/null 2>&1 || compgen -G "$probe" >/dev/null; then return; fi
  local sudo=""
  [ "$(id -u)" = 0 ] || sudo="sudo"
  echo "== installing $*"
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

step() {
  local began=$SECONDS
  echo "== $*"
  "$@" || { local code=$?; echo "== failed with $code after $((SECONDS - began)) s: $*" >&2; exit "$code"; }
  echo "== $((SECONDS - began)) s"
}

# Validates openapi.json against the OpenAPI specification; kept between runs.
install_validator() {
  [ -x "$validator" ] && return
  python3 -c "import ensurepip" 2>/dev/null || need "no such file" python3 python3-venv
  python3 -m venv "${validator%/bin/*}"
  "${validator%/*}/pip" install --quiet --disable-pip-version-check "openapi-spec-validator==0.9.0"
}

# Drives the review page in a browser; kept between runs.
install_browser_driver() {
  local folder="${XDG_CACHE_HOME:-$HOME/.cache}/tickmark/browser"
  [ -d "$folder/node_modules/axe-core" ] && [ -d "$folder/node_modules/playwright-core" ] && return
  mkdir -p "$folder"
  npm install --silent --no-audit --no-fund --no-save --prefix "$folder" playwright-core@1.65.0 axe-core@4.14.0
}

# What the tests hold webhooks and mail against: another's verifier of signatures, and a mail server.
install_peers() {
  "${validator%/*}/python" -c "import stripe, aiosmtpd" 2>/dev/null && return
  "${validator%/*}/pip" install --quiet --disable-pip-version-check "stripe==16.1.0" "aiosmtpd==1.4.6"
}

# The gate is the same for everybody; `PROPTEST_CASES=5000 cargo test -p exam` looks further, by chance.
export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-20261115}"

need cc build-essential
need "/usr/lib/postgresql/*/bin/initdb" postgresql
need /usr/sbin/haproxy haproxy
need curl curl
need jq jq
need /etc/ssl/certs/ca-certificates.crt ca-certificates
need sqlite3 sqlite3
need chromium chromium
need node nodejs
need npm npm
install_browser_driver

step cargo fmt --all --check
# Clippy looks on while everything is compiled for the tests, and documents are checked with the examples in them: with
# `cargo clippy` and `cargo doc` every dependency would be compiled twice more.
RUSTC_WORKSPACE_WRAPPER=$(command -v clippy-driver) || { echo "clippy is missing: rustup component add clippy" >&2; exit 1; }
export RUSTC_WORKSPACE_WRAPPER
export CLIPPY_ARGS="-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__"
step cargo build --workspace --all-targets --quiet
# The programs that were built; building one by itself would compile dependencies again, with other features.
programs=$(cargo metadata --format-version 1 --no-deps | jq -r .target_directory)/debug
step "$programs/xtask" arrows
step "$programs/xtask" words
if command -v cargo-deny >/dev/null 2>&1; then step cargo deny --log-level error check licenses bans sources; fi
install_validator
step "$validator" openapi.json
install_peers
export PYTHON_WITH_PEERS="${validator%/*}/python"
RUSTDOC="$PWD/xtask/rustdoc.sh" step cargo test --workspace --quiet
step sdk/test.sh "$programs/tickmark"
step packaging/test.sh "$programs/tickmark"
# Kills, a full disk, cuts and a moving clock for a few seconds on each database; `--seconds 600` looks longer.
step "$programs/bench" fire --seconds 8 --clients 20
