#!/usr/bin/env bash
# Installs what realtime agents are tested with: a LiveKit server (install-livekit-server.sh) and the Python frameworks that real
# agents are written with (a virtual environment in artifacts/voice-peers). Run again, it does only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly VENV="$PWD/artifacts/voice-peers"
readonly REQUIREMENTS=test/peers/requirements.txt

install_frameworks() {
  if [ -x "$VENV/bin/python" ] && cmp -s "$REQUIREMENTS" "$VENV/installed.txt"; then return; fi
  command -v python3 >/dev/null || { echo 'Python 3 (3.10 or newer, with venv) is not installed.' >&2; return 1; }
  python3 -m venv "$VENV"
  "$VENV/bin/pip" install -q --disable-pip-version-check -r "$REQUIREMENTS"
  # Only a whole installation leaves this behind.
  cp "$REQUIREMENTS" "$VENV/installed.txt"
}

scripts/install-livekit-server.sh
install_frameworks
"$VENV/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^(livekit|livekit-agents|pipecat-ai) '
