#!/usr/bin/env bash
# Installs what the API description is tried with: a generator of Python clients and a program that makes requests of it, in a virtual
# environment in artifacts/client-peers. Run again, it does only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly VENV="$PWD/artifacts/client-peers"
readonly REQUIREMENTS=test/peers/client-requirements.txt

install_peers() {
  if [ -x "$VENV/bin/schemathesis" ] && cmp -s "$REQUIREMENTS" "$VENV/installed.txt"; then return; fi
  command -v python3 >/dev/null || { echo 'Python 3 (3.10 or newer, with venv) is not installed.' >&2; return 1; }
  python3 -m venv "$VENV"
  "$VENV/bin/pip" install -q --disable-pip-version-check -r "$REQUIREMENTS"
  # Only a whole installation leaves this behind.
  cp "$REQUIREMENTS" "$VENV/installed.txt"
}

install_peers
"$VENV/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^(openapi-python-client|schemathesis) '
