#!/usr/bin/env bash
# Installs the OpenAI-compatible proxy that examiners by any model are tested with, a Python program in a virtual environment in
# artifacts/model-peers. Run again, it does only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-python-peers.sh artifacts/model-peers test/peers/model-requirements.txt
artifacts/model-peers/bin/pip list --disable-pip-version-check 2>/dev/null | grep -E '^litellm '
