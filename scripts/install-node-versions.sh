#!/usr/bin/env bash
# Installs the newer versions of Node that the packed command and service are tried on, from npm, into artifacts/node. Run again, it
# does only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly VERSIONS=(22.23.3 24.21.0)
readonly FOLDER="$PWD/artifacts/node"
platform=$(node -p '`node-${process.platform}-${process.arch}`')

for version in "${VERSIONS[@]}"; do
  to="$FOLDER/${version%%.*}"
  node="$to/node_modules/$platform/bin/node"
  if ! { [ -x "$node" ] && [ "$("$node" --version)" = "v$version" ]; }; then
    mkdir -p "$to"
    # A project of its own. With --prefix npm would not read the machine's settings, such as which certificates it trusts.
    echo '{ "private": true }' >"$to/package.json"
    (cd "$to" && npm install --no-save --no-audit --no-fund --ignore-scripts "$platform@$version")
  fi
  "$node" --version
done
