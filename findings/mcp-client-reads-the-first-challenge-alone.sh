#!/usr/bin/env bash
# Software: @modelcontextprotocol/sdk 1.32.2 (TypeScript, version 1, which bridges such as mcp-remote use), from npm.
#
# A server that takes bearer tokens and tokens with proofs of possession has two challenges in one `WWW-Authenticate`. The
# client of version 1 looks at the first word of the header alone: if `DPoP` comes first, it finds no metadata and no
# scope. It goes on without an error, guesses where the metadata may be, and asks the user for every scope that the server
# has instead of the one that it lacks. The order of challenges means nothing by the standard, and no client that reads
# them as a list notices it. So put `Bearer` first.
#
# Source: `extractWWWAuthenticateParams` in src/client/auth.ts of the SDK: it splits the header at spaces and gives up
# unless the first word is `bearer`; RFC 9110, section 11.6.1 (a list of challenges); RFC 9449, section 7.1 and 7.2 (both
# schemes at one server).
#
# Seen on 2026-11-29:
#   Bearer, DPoP: scope metrics.read
#   DPoP, Bearer: scope undefined
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 >/dev/null
cat > read.js <<'JS'
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js'

const metadata = 'resource_metadata="https://graph.example/.well-known/oauth-protected-resource", scope="metrics.read"'
const bearer = `Bearer ${metadata}`
const dpop = `DPoP ${metadata}, algs="ES256"`
const scopeIn = (challenges) =>
  extractWWWAuthenticateParams(new Response('', { status: 401, headers: { 'www-authenticate': challenges.join(', ') } })).scope
const first = scopeIn([bearer, dpop])
const second = scopeIn([dpop, bearer])
console.log(`Bearer, DPoP: scope ${first}\nDPoP, Bearer: scope ${second}`)
process.exit(first === 'metrics.read' && second === undefined ? 0 : 1)
JS
node read.js
