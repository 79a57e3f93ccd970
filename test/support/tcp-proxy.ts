import { connect, createServer, type Socket } from 'node:net'
import { listen } from './listen.ts'

export type Condition =
  | { readonly kind: 'sound' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'deaf' }

export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** Connections that are made from now on lead there. */
  target: number
  readonly condition: Condition
  become(condition: Condition): void
  /** Resets every connection. */
  reset(): void
}

interface Pair {
  readonly near: Socket
  readonly far: Socket
}

/** `watch` is called with all that arrives at the proxy, before it is passed on or lost. */
export async function startProxy(
  target: number,
  watch: (from: 'client' | 'server', chunk: Buffer) => void = () => {},
): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let condition: Condition = { kind: 'sound' }

  const end = (pair: Pair): void => {
    pairs.delete(pair)
    pair.near.resetAndDestroy()
    pair.far.resetAndDestroy()
  }
  const pass = (from: Socket, to: Socket, chunk: Buffer): void => {
    if (to.destroyed) return
    if (!to.write(chunk)) {
      from.pause()
      to.once('drain', () => from.resume())
    }
  }

  const server = createServer((near) => {
    near.on('error', () => {})
    if (condition.kind === 'cut') {
      near.resetAndDestroy()
      return
    }
    const far = connect(proxy.target, '127.0.0.1')
    near.setNoDelay(true)
    far.setNoDelay(true)
    const pair: Pair = { near, far }
    pairs.add(pair)
    if (condition.kind === 'silent') {
      near.pause()
      far.pause()
    }
    far.on('error', () => end(pair))
    near.on('error', () => end(pair))
    near.on('close', () => end(pair))
    far.on('close', () => end(pair))
    const forward = (from: Socket, to: Socket) => (chunk: Buffer) => {
      watch(from === near ? 'client' : 'server', chunk)
      if (condition.kind === 'slow') setTimeout(() => pass(from, to, chunk), condition.ms)
      else if (condition.kind === 'deaf' && from === far) end(pair)
      else pass(from, to, chunk)
    }
    near.on('data', forward(near, far))
    far.on('data', forward(far, near))
  })
  const listening = await listen(server)

  const proxy: TcpProxy = {
    port: listening.port,
    target,
    get condition() {
      return condition
    },
    become(next) {
      const before = condition
      condition = next
      if (next.kind === 'cut') proxy.reset()
      for (const { near, far } of pairs) {
        if (next.kind === 'silent') {
          near.pause()
          far.pause()
        } else if (before.kind === 'silent') {
          near.resume()
          far.resume()
        }
      }
    },
    reset() {
      for (const pair of [...pairs]) end(pair)
    },
    async [Symbol.asyncDispose]() {
      proxy.reset()
      await listening[Symbol.asyncDispose]()
    },
  }
  return proxy
}
