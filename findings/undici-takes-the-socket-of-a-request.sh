#!/usr/bin/env bash
# Software: undici 8.12.4 (npm), on Node.js 24.21.0 (npm `node`).
#
# A server that sends the body of a request on, `pool.request({ body: request })`, finds `request.socket` null when the
# response is over, although the connection is alive and carries the next request: undici has set it so. What a server keeps
# for each connection, by the socket, cannot be found then, and `request.socket.remoteAddress` in a log that is written at
# the end throws. `request.pipe()` into a request of `node:http` leaves it. Keep the socket when the request begins.
#
# Source: `destroy` in undici's lib/core/util.js (`stream.socket = null`), which every body that is an IncomingMessage meets
# when it has been sent. https://github.com/nodejs/node/pull/38505, which its comment names, is about destroying the socket
# with an unfinished request. The documentation of undici says nothing of it.
#
# Seen on 2026-11-30, `request.socket` at `close` of the response, and the connections of two requests:
#   undici     null, 1 connection
#   node:http  a socket, 1 connection
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "allowScripts": { "node": true } }' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 undici@8.12.4 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { Agent, createServer, request as send } from 'node:http'
import { Pool } from 'undici'

const listen = async (listener) => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, origin: `http://127.0.0.1:${server.address().port}` }
}
const service = await listen((request, response) => request.pipe(response))
const pool = new Pool(service.origin)
const ways = {
  undici: async (request) => (await pool.request({ method: 'POST', path: '/', body: request })).body,
  'node:http': async (request) => {
    const sent = request.pipe(send(service.origin, { method: 'POST' }))
    const [answer] = await once(sent, 'response')
    return answer
  },
}
for (const [name, sendOn] of Object.entries(ways)) {
  const sockets = []
  const connections = new Set()
  const { server, origin } = await listen(async (request, response) => {
    response.on('close', () => sockets.push(request.socket))
    ;(await sendOn(request)).pipe(response)
  })
  server.on('connection', (socket) => connections.add(socket))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let count = 0; count < 2; count++) {
    const client = send(origin, { method: 'POST', agent })
    client.end('body')
    const [answer] = await once(client, 'response')
    for await (const chunk of answer) if (String(chunk) !== 'body') process.exit(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const kind = sockets.every((socket) => socket === null) ? 'null' : 'a socket'
  console.log(`${name.padEnd(10)} ${kind}, ${connections.size} connection`)
  if ((kind === 'null') !== (name === 'undici') || connections.size !== 1) process.exit(1)
}
process.exit()
JS
node_modules/node/bin/node try.mjs
