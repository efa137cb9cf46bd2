#!/bin/sh
# Installs what the browser tests need, by apt: Chromium, and Python to speak to it.
set -eu
cd "$(dirname "$0")/.."
scripts/install_packages.sh chromium python3
