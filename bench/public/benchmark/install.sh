#!/usr/bin/env bash
# Installs the gateway into ./gateway: from the tarball that TESSERA_TARBALL names, as `npm pack` makes it, else from
# the registry. Not into this folder itself, which npm would take for one of the repository's workspaces.
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p gateway
npm install --prefix ./gateway --no-save --no-audit --no-fund "${TESSERA_TARBALL:-tessera-graph}"
