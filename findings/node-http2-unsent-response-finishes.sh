#!/usr/bin/env bash
# Software: Node.js 24.21.0 (npm `node`), module `node:http2`; the same in 20.20.2.
#
# A listener of `node:http` can serve HTTP/2 as well, by the compatibility API. Programs tell a client that has gone from
# a response that was sent by `finish`, or by `writableFinished` when `close` comes. By HTTP/2 both say of every response
# that it was sent: of one that nobody has ended, and even of one without a head, when the client resets its stream or
# closes the connection. A program that stops its work when `writableFinished` is false never stops it, and a log of
# requests counts them as answered. `writableEnded` is false, as by HTTP/1; `aborted` of the request is true.
#
# Source: `onStreamCloseResponse` in lib/internal/http2/compat.js emits `finish` before `close` whatever has happened, and
# `writableFinished` is that of the stream, which is ended when the stream is closed. The documentation says of `finish`
# "Emitted when the response has been sent", and of `close` that the stream was terminated before `end()` was called.
#
# Seen on 2026-11-29, a client that goes away from a response that was never begun:
#   HTTP/1 close true, finish false, writableFinished false, writableEnded false
#   HTTP/2 close true, finish true, writableFinished true, writableEnded false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . node@24.21.0 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import * as http1 from 'node:http'
import * as http2 from 'node:http2'

async function seen(name, module, leave) {
  const said = { close: false, finish: false }
  const { promise: gone, resolve } = Promise.withResolvers()
  const { promise: asked, resolve: ask } = Promise.withResolvers()
  const server = module.createServer((request, response) => {
    request.resume()
    response.on('finish', () => (said.finish = true))
    response.on('close', () => {
      said.close = true
      resolve(response)
    })
    ask()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  leave(server.address().port, asked)
  const { writableFinished, writableEnded } = await gone
  console.log(
    `${name} close ${said.close}, finish ${said.finish}, ` +
      `writableFinished ${writableFinished}, writableEnded ${writableEnded}`,
  )
  server.close()
}

await seen('HTTP/1', http1, async (port, asked) => {
  const request = http1.request({ host: '127.0.0.1', port, method: 'POST' }).on('error', () => {})
  request.end('x')
  await asked
  request.destroy()
})
await seen('HTTP/2', http2, async (port, asked) => {
  const session = http2.connect(`http://127.0.0.1:${port}`)
  const stream = session.request({ ':method': 'POST' }).on('error', () => {})
  stream.end('x')
  await asked
  stream.close(http2.constants.NGHTTP2_CANCEL)
  await once(stream, 'close')
  session.close()
})
JS
npx --no-install node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
HTTP/1 close true, finish false, writableFinished false, writableEnded false
HTTP/2 close true, finish true, writableFinished true, writableEnded false
EXPECTED
