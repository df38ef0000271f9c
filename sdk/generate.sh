#!/usr/bin/env bash
# Writes the generated parts of the clients anew from openapi.json.
set -euo pipefail
cd "$(dirname "$0")"
source ./tools.sh
install_tools
"$python" python/generate.py
npm run --silent --prefix typescript generate
