#!/usr/bin/env bash
# Software: Node.js 24.21.0 (npm: node), its zlib and its fetch.
#
# A zstd body may consist of several frames (RFC 8878, section 3: "a zstd file or stream is one or more frames", and a
# decoder gives their contents one after the other). gunzip of Node does so with the members of a gzip body. Its zstd
# decoder does so only when each frame comes in a write of its own: frames that come in one write are dropped after the
# first one, without an error. What fetch returns for the same bytes with `Content-Encoding: zstd` and the status 200
# therefore depends on how the network cut them into packets.
#
# Source: the behaviour is open as nodejs/node issue 64741. The option rejectGarbageAfterEnd makes an error of it.
#
# Seen on 2026-11-27:
#   gunzip, one write      one,two
#   zstd, two writes       one,two
#   zstd, one write        one,
#   fetch, two packets     200 one,two
#   fetch, one packet      200 one,
#   zstd, rejectGarbage    ERR_TRAILING_JUNK_AFTER_STREAM_END
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . node@24.21.0 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createZstdDecompress, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

const frames = [zstdCompressSync('one,'), zstdCompressSync('two')]
const whole = Buffer.concat(frames)
const say = (what, result) => console.log(`${what.padEnd(22)} ${result}`)

say('gunzip, one write', gunzipSync(Buffer.concat([gzipSync('one,'), gzipSync('two')])))

async function decompress(writes) {
  const decoder = createZstdDecompress()
  let text = ''
  decoder.on('data', (piece) => {
    text += piece
  })
  const ended = once(decoder, 'end')
  // The next frame is written when the decoder has taken the one before.
  for (const write of writes.slice(0, -1)) await new Promise((taken) => decoder.write(write, taken))
  decoder.end(writes.at(-1))
  await ended
  return text
}
say('zstd, two writes', await decompress(frames))
say('zstd, one write', await decompress([whole]))

async function fetched(packets) {
  const server = createServer((socket) => {
    socket.setNoDelay(true)
    socket.once('data', async () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: ${whole.length}\r\n\r\n`)
      for (const packet of packets) {
        await new Promise((later) => setTimeout(later, 200))
        socket.write(packet)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const response = await fetch(`http://127.0.0.1:${server.address().port}/`, { headers: { connection: 'close' } })
  const text = await response.text()
  server.close()
  return `${response.status} ${text}`
}
say('fetch, two packets', await fetched(frames))
say('fetch, one packet', await fetched([whole]))

try {
  say('zstd, rejectGarbage', zstdDecompressSync(whole, { rejectGarbageAfterEnd: true }))
} catch (error) {
  say('zstd, rejectGarbage', error.code)
}
process.exit()
JS
node_modules/node/bin/node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
gunzip, one write      one,two
zstd, two writes       one,two
zstd, one write        one,
fetch, two packets     200 one,two
fetch, one packet      200 one,
zstd, rejectGarbage    ERR_TRAILING_JUNK_AFTER_STREAM_END
EXPECTED
