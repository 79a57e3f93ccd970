#!/usr/bin/env bash
# Software: ioredis 6.0.0 (npm) with Redis 7.0.15 (Debian 12's `redis-server`).
#
# ioredis recommends `reconnectOnError` for failovers: if a write meets READONLY because the address leads to a replica,
# connect again, and with the return value 2 send the command again. Three bounds that one would set beside it do not
# hold. `maxRetriesPerRequest`, which "makes sure commands won't wait forever", is never reached, and `retryStrategy` is
# asked about the first attempt each time, because every connection to the replica succeeds and so resets the count: the
# client reconnects many times a second, and the delay does not grow. `commandTimeout` rejects the promise, but the
# command is still sent again after each connection. When the replica is promoted, minutes later perhaps, the write that
# was reported as timed out is executed, and so is the one that the program has sent in its place: a counter counts twice.
#
# Source: `handleReconnection` in built/Redis.js (case 2 sends the command again, whatever became of its promise), and
# `retryAttempts = 0` on ready in built/redis/event_handler.js. The README's sections on auto-reconnect and on
# reconnecting for errors name no such limit.
#
# Seen on 2026-11-28, `incrby` at a replica that is promoted after three seconds:
#   the program sees            Command timed out
#   connections in 3 seconds    more than 10
#   attempts by retryStrategy   1
#   the counter after promotion 5
set -euo pipefail
command -v redis-server >/dev/null || { echo 'redis-server is needed (apt-get install redis-server)'; exit 1; }
folder=$(mktemp -d)
servers=()
trap 'kill "${servers[@]}" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . ioredis@6.0.0 >/dev/null
serve() {
  redis-server --bind 127.0.0.1 --save '' --dir "$folder" --maxmemory 32mb "$@" >/dev/null &
  servers+=($!)
}
serve --port 17911
serve --port 17912 --replicaof 127.0.0.1 17911
cat > try.mjs <<'JS'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'

const say = (what, result) => console.log(`${what.padEnd(27)} ${result}`)
const replica = new Redis(17912, '127.0.0.1')
while (!(await replica.info('replication')).includes('master_link_status:up')) await wait(50)

const attempts = new Set()
let connections = 0
const client = new Redis(17912, '127.0.0.1', {
  commandTimeout: 500,
  maxRetriesPerRequest: 3,
  retryStrategy(attempt) {
    attempts.add(attempt)
    return Math.min(attempt * 50, 2000)
  },
  reconnectOnError: ({ message }) => (message.startsWith('READONLY') ? 2 : false),
})
client.on('error', () => {})
client.on('ready', () => connections++)
await client.incrby('counter', 5).catch(({ message }) => say('the program sees', message))
await wait(2500)
say('connections in 3 seconds', connections > 10 ? 'more than 10' : connections)
say('attempts by retryStrategy', [...attempts])
await replica.call('REPLICAOF', 'NO', 'ONE')
await wait(1000)
say('the counter after promotion', await replica.get('counter'))
client.disconnect()
replica.disconnect()
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
the program sees            Command timed out
connections in 3 seconds    more than 10
attempts by retryStrategy   1
the counter after promotion 5
EXPECTED
