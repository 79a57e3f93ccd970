#!/usr/bin/env bash
# Software: undici 8.12.4 (npm), on Node 24.21.0.
#
# Over HTTP/2 a server, or a proxy whose own server went away, gives a response up by RST_STREAM. If its code is CANCEL or
# NO_ERROR, `fetch` and `request` of undici take what has arrived for the whole body: `text()` resolves with the beginning
# of the text, and nothing tells the program. With other codes the body is an error, and so it is over HTTP/1.1 if the
# connection is closed within the chunks. A response without the flag END_STREAM is not complete (RFC 9113, section 8.1);
# with `Content-Length` undici notices that bytes are missing.
#
# Source: lib/dispatcher/client-h2.js completes the response at the event `end` of the stream. Node emits it for these two
# codes without an error, and `rstCode` has the code, as its documentation says.
#
# Seen on 2026-11-29, a body `the whole text` of which the first half has arrived:
#   NO_ERROR        text "the who"
#   INTERNAL_ERROR  error, Stream closed with error code NGHTTP2_INTERNAL_ERROR
#   CANCEL          text "the who"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . node@24.21.0 undici@8.12.4 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Agent, fetch } from 'undici'

const [data, headers, reset, settings] = [0, 1, 3, 4]
function frame(type, flags, stream, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}
/** Answers each request with a status (0x88 is `:status: 200`) and half a body, and resets its stream. */
const serve = (code) => (socket) => {
  let rest = Buffer.alloc(0)
  let skipped = 24 // the preface
  socket.on('error', () => {})
  socket.write(frame(settings, 0, 0))
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= skipped + 9) {
      const at = skipped
      const size = 9 + rest.readUIntBE(at, 3)
      if (rest.length < at + size) return
      const [type, flags, stream] = [rest[at + 3], rest[at + 4], rest.readUInt32BE(at + 5)]
      rest = rest.subarray(at + size)
      skipped = 0
      if (type === settings && flags === 0) socket.write(frame(settings, 1, 0))
      if (type !== headers) continue
      socket.write(frame(headers, 4, stream, Buffer.from([0x88])))
      socket.write(frame(data, 0, stream, Buffer.from('the who')))
      setTimeout(() => socket.write(frame(reset, 0, stream, Buffer.from([0, 0, 0, code]))), 50)
    }
  })
}
for (const [name, code] of [['NO_ERROR', 0], ['INTERNAL_ERROR', 2], ['CANCEL', 8]]) {
  const server = createServer(serve(code))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const dispatcher = new Agent({ allowH2: true, useH2c: true })
  const response = await fetch(`http://127.0.0.1:${server.address().port}/`, { dispatcher })
  const seen = await response.text().then(
    (text) => `text ${JSON.stringify(text)}`,
    ({ cause }) => `error, ${cause.message}`,
  )
  console.log(`${name.padEnd(15)} ${seen}`)
}
process.exit(0)
JS
npx --no-install node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
NO_ERROR        text "the who"
INTERNAL_ERROR  error, Stream closed with error code NGHTTP2_INTERNAL_ERROR
CANCEL          text "the who"
EXPECTED
