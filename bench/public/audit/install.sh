#!/usr/bin/env bash
# Installs the gateway into ./gateway: from the tarball that TESSERA_TARBALL names, as `npm pack` makes it, else from
# the registry. Not into this folder itself: npm would take it, and not the audit, for the package of `npm start`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p gateway
npm install --prefix ./gateway --no-save --no-audit --no-fund "${TESSERA_TARBALL:-tessera-graph}"
