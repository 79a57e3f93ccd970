/**
 * The connections in frames to one subgraph: how many there are, when another one is opened, and when plain HTTP is
 * used instead. A service that does not support frames is asked again every minute, because it may be replaced.
 *
 * One connection carries many requests, so that they share writes. Behind an address there may be several
 * processes, and a load balancer that decides for each connection. So further connections are opened under load,
 * until three in a row have led to known processes. Each process keeps one connection, and the least busy one gets
 * the next request.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { FramedConnectionsOptions, OpenFramedConnections } from '../../../engine/subgraphs/index.ts'
import { signatureHeader } from '../../../shared/http/signature.ts'
import { StallDetector } from '../../../shared/http/stall-detector.ts'
import { createSealing } from '../format/index.ts'
import { shakeHands } from './handshake.ts'
import { Link } from './link.ts'

/** A connection with this many requests under way is busy, so another process may be faster. */
const busyAt = 8
/** With this many, another connection is opened in any case. */
const fullAt = 64
/** After this many connections in a row to known processes, no other process is expected. */
const knownInRow = 3
const again = { refused: 60_000, busy: 1000 } as const
/** How long a request waits for the first connection. */
const mostWaitMs = 500

export const openFrames: OpenFramedConnections = (options: FramedConnectionsOptions) => {
  const { connections, connectionMs, keepAliveMs, maxBytes, secret } = options
  const sealing = secret === undefined ? undefined : createSealing(secret)
  /** Connections that accept requests. `unclosed` also has those that only finish what they have. */
  let links: Link[] = []
  const unclosed = new Set<Link>()
  const writes = new StallDetector(options.writeTimeoutMs)
  let opening: Promise<Link | undefined> | undefined
  let notBefore = 0
  let known = 0
  const closing = new AbortController()
  const { signal } = closing

  const timer = setInterval(() => {
    const now = performance.now()
    for (const link of unclosed) if (link.cutIfStalled(writes, now)) notBefore = now + again.refused
    for (const link of [...links]) {
      const rests = link.active === 0 && now - link.restingSince > keepAliveMs
      if (!rests && now - link.since <= connectionMs) continue
      // The processes behind the address may have changed as well.
      known = 0
      link.retire()
    }
  }, writes.everyMs)
  timer.unref()

  async function open(): Promise<Link | undefined> {
    const { url, tls, timeoutMs } = options
    const headers = await options.headers()
    const shaken = await shakeHands({ url, tls, timeoutMs, headers, signal })
    if (typeof shaken === 'string') {
      notBefore = performance.now() + again[shaken]
      return undefined
    }
    const { nonce, socket, first, instance } = shaken
    const signature = headers[signatureHeader]
    const isSealable = nonce !== undefined && signature !== undefined
    if (sealing !== undefined && !isSealable) {
      // Without seals somebody on the way could change the frames. Over HTTP each request has its own signature.
      socket.destroy()
      notBefore = performance.now() + again.refused
      return undefined
    }
    const isKnown = instance !== undefined && links.some((link) => link.instance === instance)
    known = isKnown ? known + 1 : 0
    if (signal.aborted || (isKnown && links.some(({ active }) => active < fullAt))) {
      socket.destroy()
      return undefined
    }
    const seal = isSealable ? sealing?.(signature, nonce) : undefined
    const retired = (link: Link): void => {
      links = links.filter((each) => each !== link)
    }
    const closed = (link: Link): void => void unclosed.delete(link)
    const link = new Link({ socket, first, seal, instance, maxBytes, retired, closed })
    unclosed.add(link)
    if (link.isOpen) links.push(link)
    return link
  }

  const begin = (): Promise<Link | undefined> => {
    opening ??= open()
      .catch(() => undefined)
      .finally(() => {
        opening = undefined
      })
    return opening
  }

  const mayOpen = (): boolean => links.length < connections && performance.now() >= notBefore

  function least(): Link | undefined {
    let found: Link | undefined
    for (const link of links) {
      if (link.isOpen && (found === undefined || link.active < found.active)) found = link
    }
    return found
  }

  return {
    link() {
      if (signal.aborted) return undefined
      const link = least()
      if (link === undefined) {
        const needsOne = mayOpen() && !links.some(({ isBlocked }) => isBlocked)
        if (!needsOne) return undefined
        return Promise.race([begin(), delay(mostWaitMs, undefined, { ref: false })])
      }
      if (link.active >= busyAt && opening === undefined && (known < knownInRow || link.active >= fullAt))
        if (mayOpen()) void begin()
      return link
    },
    close() {
      closing.abort()
      clearInterval(timer)
      for (const link of [...unclosed]) link.destroy()
    },
  }
}
