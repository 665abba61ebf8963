#!/usr/bin/env bash
# Installs the LiveKit server that agents in rooms are tested with, built with Go into artifacts/bin. Run again, it does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly LIVEKIT=1.11.0
readonly BIN="$PWD/artifacts/bin"

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

install_livekit_server
"$BIN/livekit-server" --version
