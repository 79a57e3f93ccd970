#!/usr/bin/env bash
set -Eeuo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export NODE_ENV=production TESSERA_LOG_LEVEL=error TESSERA_EXPLORER=off
exec ./gateway/node_modules/.bin/tessera serve --supergraph ./supergraph.graphql --host "${HOST:-0.0.0.0}" --port "${PORT:-4000}" > ./gateway_log.txt 2>&1
