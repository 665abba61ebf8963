#!/usr/bin/env bash
# Makes a virtual environment with what files of requirements name: install-python-peers.sh FOLDER REQUIREMENTS... uv installs it, for a
# small part of the processor time that pip takes, which also compiles every module. Run again, it does only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly UV_VERSION=0.13.8
readonly UV="$PWD/artifacts/uv/bin/uv"
# The Python of this machine, with which the tests run it.
export UV_PYTHON_DOWNLOADS=never

venv=$1
shift

install_uv() {
  if [ -x "$UV" ] && [[ "$("$UV" --version)" = "uv $UV_VERSION"* ]]; then return; fi
  python3 -m venv "$PWD/artifacts/uv"
  "$PWD/artifacts/uv/bin/pip" install -q --disable-pip-version-check "uv==$UV_VERSION"
}

if [ -x "$venv/bin/python" ] && cat "$@" | cmp -s - "$venv/installed.txt"; then exit; fi
command -v python3 >/dev/null || { echo 'Python 3 (3.10 or newer, with venv) is not installed.' >&2; exit 1; }
install_uv
# With pip, which tests install packages with.
"$UV" venv -q --clear --seed --python python3 "$venv"
"$UV" pip install -q --python "$venv/bin/python" "${@/#/-r}"
# Only a whole installation leaves this behind.
cat "$@" >"$venv/installed.txt"
