#!/usr/bin/env bash
# Software: Node.js 24.21.0 (V8 13.6), from the npm package `node`.
#
# V8 keeps a text that was written by `+=` as a tree of its pieces, and makes one piece of it when something reads it.
# `response.end(text)` does not do that to the text it is given: as long as the head has not left, node:http puts the
# head in front of it, and only the text of both becomes one piece. A server that writes a body piece by piece and keeps
# it after it was sent (in a context of the request, a cache, a log that is written later) therefore holds the whole
# tree, here eight times the bytes of the text. If the head was sent before (`flushHeaders`), or if the body is read
# once in any other way, the same reference holds one piece. All three ways send the same bytes.
#
# Source: `OutgoingMessage.prototype._send` in lib/_http_outgoing.js (`data = header + data`, if `data` is a string of
# the encodings utf8, latin1 or none), and `String::SlowFlatten` in v8/src/objects/string.cc, which leaves the strings
# below the one that is read as they are.
#
# Seen on 2026-11-28: MB of heap that the kept reference holds after the response has arrived whole.
#   1.9 MB by end(text)                         15 MB
#   1.9 MB by flushHeaders() and end(text)       2 MB
#   1.9 MB by end(Buffer.from(text))             2 MB
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "allowScripts": { "node": true } }' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 >/dev/null
cat > try.mjs <<'JS'
import { createServer } from 'node:http'
import { once } from 'node:events'

const kept = new Map()
const server = createServer((request, response) => {
  let data = '['
  for (let at = 0; at < 100_000; at++) {
    if (at > 0) data += ','
    data += `"piece ${100_000 + at} 123"`
  }
  data += ']'
  kept.set(request.url, data)
  response.setHeader('content-type', 'application/json')
  response.setHeader('content-length', data.length)
  if (request.url === '/headFirst') response.flushHeaders()
  response.end(request.url === '/bytes' ? Buffer.from(data, 'latin1') : data, 'latin1')
}).listen(0, '127.0.0.1')
await once(server, 'listening')

const heap = () => {
  gc()
  return process.memoryUsage().heapUsed
}
const ask = async (path) => {
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { headers: { connection: 'close' } })
  for await (const _ of response.body);
}
const megabytes = (bytes) => bytes / 1e6
const results = []
for (const [path, name] of [
  ['/plain', 'end(text)'],
  ['/headFirst', 'flushHeaders() and end(text)'],
  ['/bytes', 'end(Buffer.from(text))'],
]) {
  await ask(path)
  kept.clear()
  const before = heap()
  await ask(path)
  await new Promise((resolve) => setTimeout(resolve, 100))
  const held = megabytes(heap() - before)
  const { length } = kept.get(path)
  console.log(`${megabytes(length).toFixed(1)} MB by ${name.padEnd(30)} ${held.toFixed(0).padStart(4)} MB`)
  results.push(held / megabytes(length))
  kept.clear()
}
server.close()
const [plain, headFirst, bytes] = results
process.exitCode = plain > 4 && headFirst < 2 && bytes < 2 ? 0 : 1
JS
node_modules/node/bin/node --expose-gc try.mjs
