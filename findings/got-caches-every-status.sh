#!/usr/bin/env bash
# Software: got 14.6.6 with cacheable-request 13.0.19 and http-cache-semantics 4.3.0 (npm).
#
# got's option `cache` follows RFC 9111 by http-cache-semantics, which reads the status of a response from its property
# `status`, and takes 200 if there is none. cacheable-request hands it Node's response, whose property is `statusCode`.
# The policy is therefore always that of a 200: a 206 is stored as if it were whole, although the library says that it
# does not understand ranges, and 418, 500 and 503 are stored for as long as their `max-age` says, as is every status
# that it does not know. Without any header of freshness, `last-modified` alone lets a 500 be served again for a tenth of
# the time since then, which the RFC allows for some statuses only. The library by itself refuses all of these.
#
# Source: `'status' in res ? res.status : 200` in http-cache-semantics/index.js; `new CachePolicy(options_, response,
# options_)` in cacheable-request/dist/index.js.
#
# Seen on 2026-11-28: whether the second request is answered from the cache, and whether the library would store it.
#   200 max-age         got true   library true
#   206 max-age         got true   library false
#   418 max-age         got true   library false
#   500 max-age         got true   library false
#   503 max-age         got true   library false
#   500 last-modified   got true   library false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > package.json <<'JSON'
{ "private": true, "overrides": { "cacheable-request": "13.0.19", "http-cache-semantics": "4.3.0" } }
JSON
npm install --silent --no-audit --no-fund got@14.6.6 http-cache-semantics@4.3.0 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import got from 'got'
import CachePolicy from 'http-cache-semantics'

const freshness = {
  'max-age': { 'cache-control': 'max-age=60' },
  'last-modified': { 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' },
}
const headersOf = (status, kind) => ({
  ...freshness[kind],
  ...(status === 206 ? { 'content-range': 'bytes 0-4/10' } : {}),
})
const server = createServer(({ url }, response) => {
  const [, status, kind] = url.split('/')
  response.writeHead(Number(status), headersOf(Number(status), kind))
  response.end('01234')
}).listen(0, '127.0.0.1')
await once(server, 'listening')

const cases = [[200, 'max-age'], [206, 'max-age'], [418, 'max-age'], [500, 'max-age'], [503, 'max-age'], [500, 'last-modified']]
for (const [status, kind] of cases) {
  const cache = new Map()
  const url = `http://127.0.0.1:${server.address().port}/${status}/${kind}`
  const ask = () => got(url, { cache, throwHttpErrors: false, retry: { limit: 0 } })
  await ask()
  await new Promise((resolve) => setTimeout(resolve, 200))
  const { isFromCache } = await ask()
  const policy = new CachePolicy({ url, method: 'GET', headers: {} }, { status, headers: headersOf(status, kind) })
  console.log(`${status} ${kind.padEnd(15)} got ${String(isFromCache).padEnd(6)} library ${policy.storable()}`)
}
server.close()
process.exit()
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
200 max-age         got true   library true
206 max-age         got true   library false
418 max-age         got true   library false
500 max-age         got true   library false
503 max-age         got true   library false
500 last-modified   got true   library false
EXPECTED
