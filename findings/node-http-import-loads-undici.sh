#!/usr/bin/env bash
# Software: Node.js 22.19.0, 24.21.0, from the npm package `node`.
#
# `import { createServer } from 'node:http'` in an ES module takes twice the CPU time of `require('node:http')`, and 9 to
# 15 MB more: Node makes an export of each property of a module of its own, and reads them all to do so. `WebSocket`,
# `CloseEvent` and `MessageEvent` of `node:http` are getters that load the undici within Node, with its `fetch` and its
# WebSocket client, which a server does not need. `require` and `process.getBuiltinModule('node:http')` do not read them.
# A program that is changed from CommonJS to ES modules therefore starts slower and larger with the same code in it.
#
# Source: `BuiltinModule#getESMFacade` and `getOwn` in lib/internal/bootstrap/realm.js, and the getters at the end of
# lib/http.js. The documentation of `node:http` says nothing of it, nor does that of `process.getBuiltinModule`.
#
# Seen on 2026-11-30 (resident memory and CPU time of a process that does nothing else):
#   v22.19.0 import: undici loaded, 54 MB, 43 ms
#   v22.19.0 require: undici not loaded, 45 MB, 21 ms
#   v22.19.0 getBuiltinModule: undici not loaded, 46 MB, 21 ms
#   v24.21.0 import: undici loaded, 61 MB, 62 ms
#   v24.21.0 require: undici not loaded, 46 MB, 28 ms
#   v24.21.0 getBuiltinModule: undici not loaded, 49 MB, 29 ms
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "allowScripts": { "node": true } }' > package.json
npm install --silent --no-audit --no-fund lts22@npm:node@22.19.0 lts24@npm:node@24.21.0 >/dev/null
report='
const { user, system } = process.cpuUsage()
const loaded = process.moduleLoadList.includes("NativeModule internal/deps/undici/undici")
console.log(`${process.version} ${way}: undici ${loaded ? "" : "not "}loaded, ${Math.round(process.memoryUsage.rss() / 1e6)} MB, ${Math.round((user + system) / 1000)} ms`)
if (loaded !== (way === "import")) process.exit(1)'
echo "import { createServer } from 'node:http'; createServer(); const way = 'import'; $report" > import.mjs
echo "require('node:http').createServer(); const way = 'require'; $report" > require.cjs
echo "process.getBuiltinModule('node:http').createServer(); const way = 'getBuiltinModule'; $report" > builtin.mjs
for node in node_modules/lts22/bin/node node_modules/lts24/bin/node; do
  for file in import.mjs require.cjs builtin.mjs; do "$node" "$file"; done
done
