#!/usr/bin/env bash
# Installs the OpenAI-compatible proxy that examiners by any model are tested with, a Python program in a virtual environment in
# artifacts/model-peers. Run again, it does only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly VENV="$PWD/artifacts/model-peers"
readonly REQUIREMENTS=test/peers/model-requirements.txt

install_proxy() {
  if [ -x "$VENV/bin/litellm" ] && cmp -s "$REQUIREMENTS" "$VENV/installed.txt"; then return; fi
  command -v python3 >/dev/null || { echo 'Python 3 (3.10 or newer, with venv) is not installed.' >&2; return 1; }
  python3 -m venv "$VENV"
  "$VENV/bin/pip" install -q --disable-pip-version-check -r "$REQUIREMENTS"
  # Only a whole installation leaves this behind.
  cp "$REQUIREMENTS" "$VENV/installed.txt"
}

install_proxy
"$VENV/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^litellm '
