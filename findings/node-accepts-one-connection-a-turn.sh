#!/usr/bin/env bash
# Software: Node.js 18.20.8 (libuv 1.44.2) and 24.21.0 (libuv 1.52.1), from the npm package `node`.
#
# Since libuv 1.45 a server accepts one connection in each turn of the event loop, and no longer all that wait. On an
# idle server nobody notices. On a busy one a turn also does the work of every socket that is ready, and a turn of 10 ms
# means 100 new connections a second, whatever else the server could do. Clients that open more connections because
# answers are late then wait in the kernel's queue for seconds, while requests on connections that were open before are
# answered. A limit of requests or an early refusal in the program does not help them: it has not seen them yet. Nor does
# a longer `backlog`.
#
# Source: https://github.com/libuv/libuv/pull/3696, "unix: don't accept() connections in a loop"; src/unix/stream.c
# (`uv__server_io`). Node's changelogs of 20.3 and later name only the versions of libuv.
#
# Seen on 2026-11-28: 300 connections wait when a server looks at its socket again.
#   v18.20.8 (libuv 1.44.2): most accepted in one turn: 300
#   v24.21.0 (libuv 1.52.1): most accepted in one turn: 1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "allowScripts": { "node": true } }' > package.json
npm install --silent --no-audit --no-fund old@npm:node@18.20.8 new@npm:node@24.21.0 >/dev/null
cat > clients.mjs <<'JS'
import { connect } from 'node:net'

for (let at = 0; at < 300; at++) connect(Number(process.argv[2]), '127.0.0.1')
setTimeout(() => process.exit(), 30_000)
JS
cat > try.mjs <<'JS'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

let turn = 0
const acceptedIn = new Map()
const server = createServer(() => acceptedIn.set(turn, (acceptedIn.get(turn) ?? 0) + 1))
server.listen({ port: 0, host: '127.0.0.1', backlog: 1000 })
await once(server, 'listening')
const clients = spawn(process.execPath, ['clients.mjs', String(server.address().port)])
await once(clients, 'spawn')
const busyUntil = Date.now() + 3000
while (Date.now() < busyUntil); // Meanwhile all clients connect, and wait.
const accepted = () => [...acceptedIn.values()].reduce((sum, count) => sum + count, 0)
setImmediate(function next() {
  turn++
  if (accepted() < 300) return setImmediate(next)
  const most = Math.max(...acceptedIn.values())
  console.log(`${process.version} (libuv ${process.versions.uv}): most accepted in one turn: ${most}`)
  clients.kill()
  process.exit(most === Number(process.argv[2]) ? 0 : 1)
})
JS
node_modules/old/bin/node try.mjs 300
node_modules/new/bin/node try.mjs 1
