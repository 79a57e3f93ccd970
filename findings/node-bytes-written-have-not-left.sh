#!/usr/bin/env bash
# Software: Node.js 24.21.0, from the npm package `node`.
#
# A server that ends connections whose peer does not read needs to know how much has left. `socket.bytesWritten`, by the
# documentation "the amount of bytes sent", counts at once what was only handed to `write`. Subtracting
# `socket.writableLength` helps less than it seems: while a write waits for the system, all later ones are gathered, and
# leave as a single one, so their callbacks and the length change once, when the last byte of all of them is accepted. A
# peer that reads steadily looks like one that does not read, for as long as it takes to read everything that was queued.
# Only a queue of one's own shows progress: write a piece, wait for 'drain' or the callback, write the next.
#
# Source: https://nodejs.org/docs/latest-v24.x/api/net.html#socketbyteswritten; lib/net.js (`bytesWritten` adds the
# pending data; `_writev`), lib/internal/streams/writable.js (`clearBuffer`).
#
# Seen on 2026-11-28: 1,600 pieces of 64 KiB to a peer that reads slowly.
#   bytesWritten before the peer has read anything: 104857600
#   called back before it: 59; further steps until all were called back: 2
#   with a wait for each callback, steps until all were called back: 67
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "allowScripts": { "node": true } }' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const piece = Buffer.alloc(64 * 1024)
const count = 1600
let peer
const server = createServer((socket) => {
  peer = socket.pause()
}).listen(0, '127.0.0.1')
await once(server, 'listening')

async function open() {
  const socket = connect(server.address().port, '127.0.0.1')
  await once(socket, 'connect')
  while (peer === undefined) await delay(1)
  return socket
}
/** How many different numbers of callbacks are seen while the peer reads everything, a little in each millisecond. */
async function stepsWhileRead(called) {
  const steps = new Set([called()])
  const watch = setInterval(() => steps.add(called()), 1)
  let read = 0
  peer.on('data', (chunk) => {
    read += chunk.length
    peer.pause()
    setTimeout(() => peer.resume(), 1)
  })
  peer.resume()
  while (read < count * piece.length || called() < count) await delay(5)
  clearInterval(watch)
  steps.add(called())
  peer = undefined
  return steps.size
}

const all = await open()
let calls = 0
for (let at = 0; at < count; at++) all.write(piece, () => calls++)
await delay(500)
const before = { written: all.bytesWritten, calls }
const together = (await stepsWhileRead(() => calls)) - 1

const oneByOne = await open()
calls = 0
const next = () => {
  if (++calls < count) oneByOne.write(piece, next)
}
oneByOne.write(piece, next)
const waited = await stepsWhileRead(() => calls)

console.log(`bytesWritten before the peer has read anything: ${before.written}`)
console.log(`called back before it: ${before.calls}; further steps until all were called back: ${together}`)
console.log(`with a wait for each callback, steps until all were called back: ${waited}`)
const isSame = before.written === count * piece.length && before.calls < 800 && together <= 3 && waited > 20
process.exit(isSame ? 0 : 1)
JS
npx node try.mjs
