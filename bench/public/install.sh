#!/usr/bin/env bash
# Installs the gateway beside this script: from the tarball that TESSERA_TARBALL names, as `npm pack` makes it, else
# from the registry.
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
npm install --no-save --no-audit --no-fund "${TESSERA_TARBALL:-tessera-graph}"
