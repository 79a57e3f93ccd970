/** Instead of Apollo Sandbox, which tests cannot reach: its script and its frame, as far as the page sees of them. */
import type { Page, Route } from 'playwright-core'

export const script =
  'https://embeddable-sandbox.cdn.apollographql.com/02e2da0fccbe0240ef03d2396d6c98559bab5b06/embeddable-sandbox.umd.production.min.js'
export const frame = 'https://sandbox.embed.apollographql.com/'

/** Keeps what it is given, and puts a frame of Apollo's into the page as the real one does. */
const standIn = `
window.embedded = []
window.EmbeddedSandbox = class {
  constructor(options) {
    window.embedded.push(options)
    this.frame = document.createElement('iframe')
    this.frame.title = 'Apollo Sandbox'
    this.frame.src = '${frame}sandbox/explorer'
    options.target.append(this.frame)
  }
  dispose() { this.frame.remove() }
}`

/** Answers Apollo's script with our own, which has another hash. */
export const asForgedScript = (route: Route): Promise<void> =>
  route.fulfill({
    contentType: 'text/javascript',
    headers: { 'access-control-allow-origin': '*' },
    body: standIn,
  })

/** Gives the page the stand-in as Apollo's class; of the script itself only the hash is known here. */
export async function withStandIn(page: Page): Promise<void> {
  await page.addInitScript(standIn)
}

export const asFrame = (route: Route): Promise<void> =>
  route.fulfill({
    contentType: 'text/html',
    body: `<h1>Apollo Sandbox</h1><script>parent.postMessage({ name: 'ExplorerListeningForHandshake' }, '*')</script>`,
  })
