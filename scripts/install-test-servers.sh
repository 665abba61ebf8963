#!/usr/bin/env bash
# Installs what the tests need beside Node, on Debian and Ubuntu: the oldest supported NATS server (the distribution's
# package), the newest one, Helm and actionlint (built with Go into artifacts/bin), Chromium (with windows and without), espeak-ng and
# SoX, and promtool (out of the distribution's prometheus).
# Run again, it does only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly NEWEST_NATS=v2.15.2
readonly HELM=v3.19.0
readonly ACTIONLINT=v1.7.12
readonly BIN="$PWD/artifacts/bin"
# Where Debian puts servers; not on the path of every user.
export PATH="$PATH:/usr/sbin"

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

install_packages() {
  # Each package has the name of its program.
  local program missing=()
  for program in nats-server chromium espeak-ng sox; do
    command -v "$program" >/dev/null || missing+=("$program")
  done
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  command -v apt-get >/dev/null || { echo "There is no apt-get to install what is missing: ${missing[*]}." >&2; return 1; }
  as_root apt-get update -q
  # The page is tested without windows where there is such a package, in three quarters of the processor time; Ubuntu has none.
  if apt-cache show chromium-headless-shell >/dev/null 2>&1; then missing+=(chromium-headless-shell); fi
  # The tests start their own servers; the package need not start one.
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

install_newest_nats() {
  if [ -x "$BIN/nats-server" ] && [ "$("$BIN/nats-server" -v)" = "nats-server: $NEWEST_NATS" ]; then return; fi
  command -v go >/dev/null || { echo 'Go is not installed: it builds the newest nats-server.' >&2; return 1; }
  mkdir -p "$BIN"
  GOBIN="$BIN" GOFLAGS=-buildvcs=false CGO_ENABLED=0 go install "github.com/nats-io/nats-server/v2@$NEWEST_NATS"
}

install_helm() {
  if [ -x "$BIN/helm" ] && go version -m "$BIN/helm" | grep -qF "helm.sh/helm/v3	$HELM	"; then return; fi
  command -v go >/dev/null || { echo 'Go is not installed: it builds Helm.' >&2; return 1; }
  mkdir -p "$BIN"
  GOBIN="$BIN" GOFLAGS=-buildvcs=false CGO_ENABLED=0 go install "helm.sh/helm/v3/cmd/helm@$HELM"
}

install_actionlint() {
  if [ -x "$BIN/actionlint" ] && [ "$("$BIN/actionlint" -version | head -1)" = "$ACTIONLINT" ]; then return; fi
  command -v go >/dev/null || { echo 'Go is not installed: it builds actionlint.' >&2; return 1; }
  mkdir -p "$BIN"
  GOBIN="$BIN" GOFLAGS=-buildvcs=false CGO_ENABLED=0 go install "github.com/rhysd/actionlint/cmd/actionlint@$ACTIONLINT"
}

# Only the checker: the package would start a server, and bring the libraries of its page (19 MB to fetch).
install_promtool() {
  if [ -x "$BIN/promtool" ] || command -v promtool >/dev/null; then return; fi
  local folder
  folder=$(mktemp -d)
  (cd "$folder" && apt-get download -q prometheus && dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool)
  mkdir -p "$BIN"
  mv "$folder/usr/bin/promtool" "$BIN/promtool"
  rm -rf "$folder"
}

install_packages
install_newest_nats
install_helm
install_actionlint
install_promtool
nats-server -v
"$BIN/nats-server" -v
chromium --version
espeak-ng --version
sox --version
