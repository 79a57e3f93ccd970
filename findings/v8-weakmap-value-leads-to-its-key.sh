#!/usr/bin/env bash
# Software: Node.js 24.21.0 (V8 13.6), from the npm package `node`.
#
# A WeakMap that lives long, and has an entry for each request (its span, its caches, its loaders), holds an entry through
# every collection of the young space if the value leads to the key. The entry's key and value are then moved to the old
# space with all that they reach, and only a full collection frees them. Node runs a full one when the old space has grown,
# so the process looks as if it leaked between two of them, and moving the objects takes most of the collector's time. An
# entry whose value does not lead to its key is dropped by the first collection of the young space, and its value is freed
# by the second. A FinalizationRegistry holds every object that it watches as the first kind does; a WeakRef does not.
#
# Source: v8/src/heap/scavenger.cc. Of a table in the old space it drops entries whose keys are dead
# (`ScavengerCollector::ClearOldEphemerons`), but the slot of a value is one of the remembered set, whose objects are
# roots. The documentation of Node and MDN say only that entries of dead keys can be collected.
#
# Seen on 2026-11-28: MB held of 20 MB, after three collections of the young space and after a full one.
#   nothing                                    0   0
#   WeakMap, the value does not lead to the key  0   0
#   WeakMap, the value leads to the key       20   0
#   WeakRef                                    0   0
#   FinalizationRegistry                      20   0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "allowScripts": { "node": true } }' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 >/dev/null
cat > try.mjs <<'JS'
import { setTimeout as delay } from 'node:timers/promises'

const known = new WeakMap()
const registry = new FinalizationRegistry(() => {})
// As in a server that has run for a while: the table is large, and old.
const alive = Array.from({ length: 10_000 }, () => ({}))
for (const each of alive) known.set(each, 1)

const ways = {
  nothing: () => {},
  'WeakMap, the value does not lead to the key': (request) => known.set(request, { body: request.body }),
  'WeakMap, the value leads to the key': (request) => known.set(request, { request }),
  WeakRef: (request) => new WeakRef(request),
  FinalizationRegistry: (request) => registry.register(request, 1),
}
const collect = async (type) => {
  gc({ type })
  await delay(30)
}
// Buffers of dead objects are freed by the collection that finds them.
const held = () => Math.round(process.memoryUsage().arrayBuffers / 1e6)
const results = []
for (const [name, note] of Object.entries(ways)) {
  await collect('major')
  const before = held()
  for (let at = 0; at < 200; at++) note({ body: new Uint8Array(100_000) })
  for (let time = 0; time < 3; time++) await collect('minor')
  const young = held() - before
  for (let time = 0; time < 2; time++) await collect('major')
  results.push([name, young, held() - before])
}
for (const [name, young, full] of results) console.log(`${name.padEnd(44)} ${String(young).padStart(3)} ${String(full).padStart(3)}`)
const seen = JSON.stringify(results.map(([, young, full]) => [young, full]))
if (seen !== '[[0,0],[0,0],[20,0],[0,0],[20,0]]') {
  console.log(`changed: ${seen}`)
  process.exit(1)
}
JS
node_modules/.bin/node --version
node_modules/.bin/node --expose-gc try.mjs
