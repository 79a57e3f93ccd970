#!/usr/bin/env bash
# Software: rolldown 1.2.19 and Vite 8.3.8, which bundles with it.
#
# A plugin's `renderChunk` returns the code of a chunk, and Rollup writes what it returns. rolldown parses that code and
# prints it anew unless `minify` is `false`, and its default is 'dce-only'. Vite turns its own `build.minify: false` into
# 'dce-only', so with Vite there is no setting that keeps the code; `enforce: 'post'` changes nothing. Whatever a plugin
# decides about the text is lost: escapes (so that a file is ASCII), the form of numbers and quotes, line breaks.
# `generateBundle`, which sees the printed chunk, is the place for it.
#
# Source: `OutputOptions.minify` in rolldown's types (`@default 'dce-only'`, "Only perform dead code elimination"); Vite's
# `options.minify === false ? "dce-only" : false`. Neither documentation says that the chunk is printed once more.
#
# Seen on 2026-11-28: the literal that each way wrote, where the plugin had returned wait\u2026.
#   rolldown, default, renderChunk            wait…
#   rolldown, minify: false, renderChunk      wait\u2026
#   rolldown, default, generateBundle         wait\u2026
#   Vite, minify: false, renderChunk          wait…
#   Vite, minify: false, renderChunk, post    wait…
#   Vite, minify: false, generateBundle       wait\u2026
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund rolldown@1.2.19 vite@8.3.8 >/dev/null 2>&1
echo "export const text = 'wait…'" > entry.js
cat > try.mjs <<'JS'
import { rolldown } from 'rolldown'
import { build } from 'vite'

const escaped = (code) =>
  code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const rendering = { name: 'ascii', renderChunk: escaped }
const generating = {
  name: 'ascii',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = escaped(chunk.code)
  },
}
const literal = (output) => /wait[^"'`]*/.exec(output[0].code)[0]

async function byRolldown(plugin, options = {}) {
  const bundle = await rolldown({ input: 'entry.js', plugins: [plugin] })
  return literal((await bundle.generate(options)).output)
}
async function byVite(plugin) {
  const { output } = await build({
    ...{ configFile: false, logLevel: 'error', plugins: [plugin] },
    build: { write: false, minify: false, ssr: true, rolldownOptions: { input: 'entry.js' } },
  })
  return literal(output)
}
const seen = {
  'rolldown, default, renderChunk': await byRolldown(rendering),
  'rolldown, minify: false, renderChunk': await byRolldown(rendering, { minify: false }),
  'rolldown, default, generateBundle': await byRolldown(generating),
  'Vite, minify: false, renderChunk': await byVite(rendering),
  'Vite, minify: false, renderChunk, post': await byVite({ ...rendering, enforce: 'post' }),
  'Vite, minify: false, generateBundle': await byVite(generating),
}
for (const [way, text] of Object.entries(seen)) console.log(`${way.padEnd(40)} ${text}`)
const again = 'wait…'
const kept = 'wait\\u2026'
if (JSON.stringify(Object.values(seen)) !== JSON.stringify([again, kept, kept, again, again, kept])) {
  console.error('this has changed')
  process.exit(1)
}
JS
node try.mjs
