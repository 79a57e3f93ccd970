#!/usr/bin/env bash
# Software: react and react-dom 19.3.1 and 18.3.1, in jsdom 26.1.0, from npm.
#
# `lazy` gets a promise that was fulfilled long before, such as that of a module that is loaded ahead. The component
# suspends all the same when it is first shown, because `lazy` reads the promise only by `then`. React shows the
# fallback of the boundary, also if that is null, and the component later. With React 18 that is the next turn. With
# React 19 it is about 300 ms later, although nothing else on the page suspends and no fallback can be seen: React
# spaces what replaces a fallback from that fallback. A dialog that is loaded ahead and opened by a key is therefore
# late, and the first letters that are typed for it go to what had the focus before. The second time a `lazy` component
# shows at once, and so does one that is passed by a variable or state.
#
# Source: react/cjs/react.production.js, `lazyInitializer`: `then` sets the status, and the promise is thrown until then.
# react-dom/cjs/react-dom-client.production.js: a retry is committed after `globalMostRecentFallbackTime + 300 - now()`.
#
# Seen on 2026-11-30, an update by useSyncExternalStore a second after the page has been rendered:
#   18.3.1  lazy, its module loaded  in a later turn
#   18.3.1  lazy, the second time    in the same turn
#   18.3.1  the component itself     in the same turn
#   19.3.1  lazy, its module loaded  after more than 200 ms
#   19.3.1  lazy, the second time    in the same turn
#   19.3.1  the component itself     in the same turn
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for version in 18.3.1 19.3.1; do
  mkdir "$version"
  npm install --silent --no-audit --no-fund --no-save --prefix "$version" \
    "react@$version" "react-dom@$version" jsdom@26.1.0 >/dev/null
  cat > "$version/try.js" <<'JS'
const { JSDOM } = require('jsdom')
const dom = new JSDOM('<div id="page"></div>')
Object.assign(globalThis, { window: dom.window, document: dom.window.document })
const { createElement, lazy, Suspense, useSyncExternalStore, version } = require('react')
const { createRoot } = require('react-dom/client')

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const Dialog = () => createElement('b')
const loaded = Promise.resolve({ default: Dialog })
const page = document.getElementById('page')

/** How long after an update the component shows. */
async function shown(Component) {
  let isOpen = false
  const listeners = new Set()
  const subscribe = (listener) => (listeners.add(listener), () => listeners.delete(listener))
  function Page() {
    if (!useSyncExternalStore(subscribe, () => isOpen)) return null
    return createElement(Suspense, { fallback: null }, createElement(Component))
  }
  const root = createRoot(page)
  root.render(createElement(Page))
  // The page stands, and the promise was fulfilled, long before the update.
  await wait(1000)
  const began = performance.now()
  isOpen = true
  for (const listener of listeners) listener()
  await Promise.resolve()
  let is = page.querySelector('b') === null ? undefined : 'in the same turn'
  while (page.querySelector('b') === null) await wait(1)
  is ??= performance.now() - began < 200 ? 'in a later turn' : 'after more than 200 ms'
  root.unmount()
  return is
}

async function run() {
  const Lazy = lazy(() => loaded)
  console.log(`${version}  lazy, its module loaded  ${await shown(Lazy)}`)
  console.log(`${version}  lazy, the second time    ${await shown(Lazy)}`)
  console.log(`${version}  the component itself     ${await shown(Dialog)}`)
  process.exit()
}
run()
JS
  (cd "$version" && NODE_ENV=production node try.js)
done | tee seen.txt
diff seen.txt - <<'EXPECTED'
18.3.1  lazy, its module loaded  in a later turn
18.3.1  lazy, the second time    in the same turn
18.3.1  the component itself     in the same turn
19.3.1  lazy, its module loaded  after more than 200 ms
19.3.1  lazy, the second time    in the same turn
19.3.1  the component itself     in the same turn
EXPECTED
