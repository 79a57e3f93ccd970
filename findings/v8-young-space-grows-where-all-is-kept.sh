#!/usr/bin/env bash
# Software: Node.js 24.21.0 (V8 13.6), from the npm package `node`; graphql 16.15.0.
#
# A server that loads much that it keeps, such as a new schema of a few megabytes, may do so in small steps with pauses
# in between, and still not answer for tens of milliseconds at a time. The young space of V8 doubles whenever much of it
# has survived, up to 16 MB and more, and a collection stops the program until all that survives has been copied. So the
# more of the new objects is kept, the longer each stop becomes. If the space cannot grow, stops are a tenth as long,
# though all of them together copy twice as much. V8 has the flag `--semi-space-growth-factor`, which may be set while
# the program runs (`v8.setFlagsFromString`), but Node's documentation of memory names only the largest size, which is
# read at the start, and advises to raise it.
#
# Source: v8/src/heap/heap.cc (`Heap::Scavenge` calls `NewSpace::Grow` if `survived_since_last_expansion_` is more than
# its capacity), v8/src/heap/new-spaces.cc (`SemiSpaceNewSpace::Grow`); https://nodejs.org/docs/latest-v24.x/api/cli.html,
# `--max-semi-space-size`.
#
# Seen on 2026-11-29: what one collection copied at most, and what all of them copied, in MB.
#   grows            most at once: 10.4, in all: 70
#   does not grow    most at once: 1.1, in all: 144
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "allowScripts": { "node": true } }' > package.json
npm install --silent --no-audit --no-fund node@24.21.0 graphql@16.15.0 >/dev/null
cat > load.mjs <<'JS'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { parse } from 'graphql'

if (process.argv[2] === 'does not grow') setFlagsFromString('--semi-space-growth-factor=1')
const kept = []
for (let at = 0; at < 6000; at++) {
  const fields = Array.from({ length: 10 }, (_, field) => `field${field}(first: Int = ${field}): [Type${at + field}!] @deprecated`)
  kept.push(parse(`type Type${at} { ${fields.join('\n')} }`, { noLocation: true }))
  await turn() // Whoever waits gets its answer here.
}
process.exit(kept.length === 6000 ? 0 : 1)
JS
cat > compare.mjs <<'JS'
import { spawnSync } from 'node:child_process'

const seen = ['grows', 'does not grow'].map((way) => {
  const run = spawnSync(process.execPath, ['--trace-gc-nvp', 'load.mjs', way], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (run.status !== 0) throw new Error(run.stderr)
  const copied = run.stdout
    .split('\n')
    .filter((line) => / gc=s /.test(line))
    .map((line) => Number(/ promoted=(\d+)/.exec(line)[1]) + Number(/ new_space_survived=(\d+)/.exec(line)[1]))
  const most = Math.max(...copied) / 1e6
  const all = copied.reduce((sum, bytes) => sum + bytes, 0) / 1e6
  console.log(`${way.padEnd(16)} most at once: ${most.toFixed(1)}, in all: ${all.toFixed(0)}`)
  return { most, all }
})
const [grows, stays] = seen
process.exit(grows.most > 5 * stays.most && stays.all < 3 * grows.all ? 0 : 1)
JS
node_modules/node/bin/node compare.mjs
