# What the clients are generated, checked and built with; kept between runs. Sourced by the scripts beside it.
tools="${XDG_CACHE_HOME:-$HOME/.cache}/tickmark/sdk"
python="$tools/python/bin/python"

install_tools() {
  if ! "$python" -c "import datamodel_code_generator, mypy, httpx, build, hatchling" 2>/dev/null; then
    python3 -m venv "$tools/python"
    "$python" -m pip install --quiet --disable-pip-version-check \
      "datamodel-code-generator==0.89.0" "mypy==2.4.1" "httpx==0.28.1" "build==1.6.1" "hatchling>=1.27"
  fi
  [ -x typescript/node_modules/.bin/tsc ] && [ -x typescript/node_modules/.bin/openapi-typescript ] && return
  npm install --silent --no-audit --no-fund --no-package-lock --prefix typescript
}
