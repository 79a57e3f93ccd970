#!/usr/bin/env bash
# Software: lru-cache 11.5.3 (npm).
#
# An object that grows while it is cached keeps its first size, whatever is said later: `set` of the same object under
# the same key neither calls `sizeCalculation` again nor takes the `size` that is given with it. `calculatedSize` then
# stays far under `maxSize`, nothing is evicted, and the memory has no bound. Only a size past `maxEntrySize`, an object
# that is not the same one, or a `delete` before the `set` is noticed. The README says of `size` that it is taken "to
# cache.set()", and names no exception.
#
# Source: the comparison of old and new value in `set` (dist/esm/index.js), which guards the size as well as `dispose`.
#
# Seen on 2026-11-27, with maxSize 100:
#   set, one item                    calculatedSize 1
#   80 more items, set again         calculatedSize 1
#   set with size: 90                calculatedSize 1
#   100 such objects                 100 of 100 kept, 8100 items, calculatedSize 100
#   delete, then set                 calculatedSize 81
#   set of a copy                    calculatedSize 81
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . lru-cache@11.5.3 >/dev/null
cat > try.mjs <<'JS'
import { LRUCache } from 'lru-cache'

const say = (what, result) => console.log(`${what.padEnd(32)} ${result}`)
const create = () => new LRUCache({ maxSize: 100, sizeCalculation: ({ items }) => items.length })
const grow = (value) => value.items.push(...Array(80).fill(0))

let cache = create()
let value = { items: [0] }
cache.set('a', value)
say('set, one item', `calculatedSize ${cache.calculatedSize}`)
grow(value)
cache.set('a', value)
say('80 more items, set again', `calculatedSize ${cache.calculatedSize}`)
cache.set('a', value, { size: 90 })
say('set with size: 90', `calculatedSize ${cache.calculatedSize}`)

cache = create()
for (let key = 0; key < 100; key++) {
  value = { items: [0] }
  cache.set(key, value)
  grow(value)
  cache.set(key, value)
}
const items = [...cache.values()].reduce((sum, each) => sum + each.items.length, 0)
say('100 such objects', `${cache.size} of 100 kept, ${items} items, calculatedSize ${cache.calculatedSize}`)

cache = create()
cache.set('a', value)
cache.delete('a')
cache.set('a', value)
say('delete, then set', `calculatedSize ${cache.calculatedSize}`)
cache = create()
value = { items: [0] }
cache.set('a', value)
grow(value)
cache.set('a', { ...value })
say('set of a copy', `calculatedSize ${cache.calculatedSize}`)
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
set, one item                    calculatedSize 1
80 more items, set again         calculatedSize 1
set with size: 90                calculatedSize 1
100 such objects                 100 of 100 kept, 8100 items, calculatedSize 100
delete, then set                 calculatedSize 81
set of a copy                    calculatedSize 81
EXPECTED
