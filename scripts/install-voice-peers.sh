#!/usr/bin/env bash
# Installs what realtime agents are tested with: a LiveKit server (install-livekit-server.sh) and the Python frameworks that real
# agents are written with (a virtual environment in artifacts/voice-peers). Run again, it does only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-livekit-server.sh
scripts/install-python-peers.sh artifacts/voice-peers test/peers/requirements.txt
artifacts/voice-peers/bin/pip list --disable-pip-version-check 2>/dev/null | grep -E '^(livekit|livekit-agents|pipecat-ai) '
