#!/usr/bin/env bash
# Software: undici 8.12.4 (npm), on Node 24.21.0.
#
# Blanks after the value of a header belong to the line and not to the value (RFC 9110, section 5.5, and RFC 9112,
# section 5.1: a parser must exclude them). undici drops those before the value and keeps those after it, so that
# `Retry-After: 5 ` is "5 ". A `Content-Length: 2 ` is compared as text with the number of bytes that came: the complete
# body is an error. `node:http` of the same Node drops them.
#
# Source: lib/dispatcher/client-h1.js, `onHeaderValue` and `onMessageComplete`.
#
# Seen on 2026-11-30:
#   undici     "5 " UND_ERR_RES_CONTENT_LENGTH_MISMATCH
#   node:http  "5" {}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . node@24.21.0 undici@8.12.4 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { Agent, request } from 'undici'

const lines = ['HTTP/1.1 200 OK', 'Retry-After: 5 ', 'Content-Length: 2 ', '', '{}']
const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', () => socket.end(lines.join('\r\n')))
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${server.address().port}/`

const { headers, body } = await request(url, { dispatcher: new Agent() })
const read = await body.text().catch(({ code }) => code)
console.log('undici    ', JSON.stringify(headers['retry-after']), read)

const [response] = await once(get(url), 'response')
const text = (await response.setEncoding('utf8').toArray()).join('')
console.log('node:http ', JSON.stringify(response.headers['retry-after']), text)
process.exit(0)
JS
npx --no-install node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
undici     "5 " UND_ERR_RES_CONTENT_LENGTH_MISMATCH
node:http  "5" {}
EXPECTED
