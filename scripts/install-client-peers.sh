#!/usr/bin/env bash
# Installs what the API description is tried with: a generator of Python clients and a program that makes requests of it, in a virtual
# environment in artifacts/client-peers; and the wheels that the Python package is installed with there. Run again, it does only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly VENV="$PWD/artifacts/client-peers"
readonly REQUIREMENTS=test/peers/client-requirements.txt
readonly WHEELS=test/peers/python-package-requirements.txt

install_peers() {
  if [ -x "$VENV/bin/schemathesis" ] && cat "$REQUIREMENTS" "$WHEELS" | cmp -s - "$VENV/installed.txt"; then return; fi
  command -v python3 >/dev/null || { echo 'Python 3 (3.10 or newer, with venv) is not installed.' >&2; return 1; }
  python3 -m venv "$VENV"
  "$VENV/bin/pip" install -q --disable-pip-version-check -r "$REQUIREMENTS"
  "$VENV/bin/pip" download -q --disable-pip-version-check --only-binary :all: -d "$VENV/wheels" -r "$WHEELS"
  # Only a whole installation leaves this behind.
  cat "$REQUIREMENTS" "$WHEELS" >"$VENV/installed.txt"
}

install_peers
"$VENV/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^(datamodel-code-generator|openapi-python-client|schemathesis) '
