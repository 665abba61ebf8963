#!/usr/bin/env bash
# Installs what the API description is tried with: a generator of Python clients and a program that makes requests of it, in a virtual
# environment in artifacts/client-peers; and the wheels that the Python package is installed with there. Run again, it does only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly VENV=artifacts/client-peers
readonly WHEELS=test/peers/python-package-requirements.txt

scripts/install-python-peers.sh "$VENV" test/peers/client-requirements.txt
if ! cmp -s "$WHEELS" "$VENV/wheels/complete.txt"; then
  "$VENV/bin/pip" download -q --disable-pip-version-check --only-binary :all: -d "$VENV/wheels" -r "$WHEELS"
  cp "$WHEELS" "$VENV/wheels/complete.txt"
fi
"$VENV/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^(datamodel-code-generator|openapi-python-client|schemathesis) '
