#!/usr/bin/env bash
# Installs what realtime agents are tested with: a LiveKit server (built with Go into artifacts/bin) and the Python frameworks
# that real agents are written with (a virtual environment in artifacts/voice-peers). Run again, it does only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly LIVEKIT=1.11.0
readonly BIN="$PWD/artifacts/bin"
readonly VENV="$PWD/artifacts/voice-peers"
readonly REQUIREMENTS=test/peers/requirements.txt

install_livekit_server() {
  if [ -x "$BIN/livekit-server" ] && [ "$("$BIN/livekit-server" --version)" = "livekit-server version $LIVEKIT" ]; then return; fi
  command -v go >/dev/null || { echo 'Go is not installed: it builds the LiveKit server.' >&2; return 1; }
  # The command's package is called `server`: built apart, so that no other tool's binary of that name is met.
  local built
  built=$(mktemp -d)
  mkdir -p "$BIN"
  GOBIN="$built" GOFLAGS=-buildvcs=false CGO_ENABLED=0 \
    go install "github.com/livekit/livekit-server/cmd/server@v$LIVEKIT"
  mv "$built/server" "$BIN/livekit-server"
  rmdir "$built"
}

install_frameworks() {
  if [ -x "$VENV/bin/python" ] && cmp -s "$REQUIREMENTS" "$VENV/installed.txt"; then return; fi
  command -v python3 >/dev/null || { echo 'Python 3 (3.10 or newer, with venv) is not installed.' >&2; return 1; }
  python3 -m venv "$VENV"
  "$VENV/bin/pip" install -q --disable-pip-version-check -r "$REQUIREMENTS"
  # Only a whole installation leaves this behind.
  cp "$REQUIREMENTS" "$VENV/installed.txt"
}

install_livekit_server
install_frameworks
"$BIN/livekit-server" --version
"$VENV/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -E '^(livekit|livekit-agents|pipecat-ai) '
