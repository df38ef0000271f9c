#!/usr/bin/env bash
# Builds both clients, checks that they are in step with openapi.json, and runs their tests and examples against a real
# server: sdk/test.sh PATH-OF-TICKMARK
set -euo pipefail
binary=$(realpath "${1:-target/debug/tickmark}")
cd "$(dirname "$0")"
source ./tools.sh
install_tools
root=$(realpath ..)
work=$(mktemp -d)
server=""
end() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT

echo "-- in step with openapi.json"
"$python" python/generate.py --check
typescript/node_modules/.bin/openapi-typescript "$root/openapi.json" --root-types --root-types-no-schema-prefix \
  --output "$work/schema.ts" >/dev/null
cmp "$work/schema.ts" typescript/src/schema.ts || { echo "sdk/typescript/src/schema.ts is not in step: run sdk/generate.sh"; exit 1; }

echo "-- types"
(cd python && "$python" -m mypy --no-error-summary)
npm run --silent --prefix typescript build

echo "-- packages"
"$python" -m build --no-isolation --wheel --outdir "$work/wheel" python >/dev/null 2>&1
(cd typescript && npm pack --silent --pack-destination "$work" >/dev/null)

echo "-- a development server"
"$binary" --json --data "$work/data" dev --listen 127.0.0.1:0 >"$work/greeting" 2>"$work/log" &
server=$!
for _ in $(seq 300); do
  [ -s "$work/greeting" ] && jq -e .test_key "$work/greeting" >/dev/null 2>&1 && break
  kill -0 "$server" 2>/dev/null || { cat "$work/log"; exit 1; }
  sleep 0.1
done
TM_BASE_URL=$(jq -r .url "$work/greeting")
TM_API_KEY=$(jq -r .test_key "$work/greeting")
SAMPLES="$root/samples"
export TM_BASE_URL TM_API_KEY SAMPLES
"$binary" --data "$work/data" account update "$(jq -r .account_id "$work/greeting")" --rate-limit-test 60000 >/dev/null

echo "-- Python"
# The package as it was built, not the source beside it.
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$work/site" "$work"/wheel/*.whl
export PYTHONPATH="$work/site"
(cd python/tests && "$python" -m unittest --quiet)
mkdir "$work/here" && ln -s "$root/samples" "$work/here/samples" && cd "$work/here"
"$python" "$root/sdk/python/examples/five_steps.py" >out.txt && grep -q "^Score: " out.txt && [ -s report.pdf ]
"$python" "$root/sdk/python/examples/five_steps_async.py" >out.txt && grep -q "^script-" out.txt
"$python" "$root/sdk/python/examples/class_scan.py" >out.txt && grep -q "^s-1072 " out.txt && [ -s covers.pdf ]
rm report.pdf covers.pdf

echo "-- TypeScript"
(cd "$root/sdk/typescript" && npm run --silent test >"$work/node.txt" 2>&1) || { cat "$work/node.txt"; exit 1; }
npm install --silent --no-audit --no-fund --no-package-lock --prefix "$work/here" "$work"/tickmark-*.tgz
cp "$root"/sdk/typescript/examples/*.mjs .
node five-steps.mjs >out.txt && grep -q "^Score: " out.txt && [ -s report.pdf ]
node class-scan.mjs >out.txt && grep -q "^s-1072 " out.txt && [ -s covers.pdf ]
echo "-- both clients work"
