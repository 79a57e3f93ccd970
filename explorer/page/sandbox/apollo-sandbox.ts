/**
 * Apollo Sandbox as Apollo hosts it: its script, which is abandoned after a few seconds, and the part of its
 * interface that we use. No other part of the page contacts another host.
 *
 * The script is one fixed build, and the browser checks its hash, so that a later version on Apollo's host cannot
 * read the page.
 */
const script =
  'https://embeddable-sandbox.cdn.apollographql.com/02e2da0fccbe0240ef03d2396d6c98559bab5b06/embeddable-sandbox.umd.production.min.js'
const scriptHash = 'sha256-asj/scPAF8jmMGj1J+YwCHps3uI57AZ78cHs0bJkML4='
const frameOrigin = 'https://sandbox.embed.apollographql.com'

/** How long the script, and then the frame, may take to respond, in milliseconds. */
const patience = { script: 4_000, frame: 8_000 } as const

export interface EmbeddedSandbox {
  dispose?(): void
}

type EmbeddedSandboxClass = new (options: object) => EmbeddedSandbox

let loading: Promise<EmbeddedSandboxClass> | undefined

/** Rejects if Apollo's host cannot be reached. The next call tries again. */
export function loadApolloSandbox(): Promise<EmbeddedSandboxClass> {
  loading ??= insertScript()
  return loading
}

async function insertScript(): Promise<EmbeddedSandboxClass> {
  const { promise: settled, resolve: settle } = Promise.withResolvers<unknown>()
  const element = document.createElement('script')
  element.onload = settle
  element.onerror = settle
  element.crossOrigin = 'anonymous'
  element.integrity = scriptHash
  element.src = script
  document.head.append(element)
  setTimeout(settle, patience.script)
  await settled
  const { EmbeddedSandbox: found } = globalThis as { EmbeddedSandbox?: EmbeddedSandboxClass }
  if (typeof found === 'function') return found
  element.remove()
  loading = undefined
  throw new Error('Apollo Sandbox cannot be reached.')
}

/**
 * Calls `onSilence` if the frame sends no message in time. Its host may be unreachable even if the script was
 * loaded.
 */
export function awaitFrame(onSilence: () => void): () => void {
  const stop = (): void => {
    clearTimeout(timer)
    removeEventListener('message', listen)
  }
  const listen = ({ origin }: MessageEvent): void => {
    if (origin === frameOrigin) stop()
  }
  const timer = setTimeout(() => {
    stop()
    onSilence()
  }, patience.frame)
  addEventListener('message', listen)
  return stop
}
