/**
 * Clients that send one request after the other, to any gateway. They repeat lost writes with a key, send some
 * twice at the same time, and some again after they were acknowledged. All use the same credential until its units
 * are used up, so that they compete for the ledger.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../soak/random.ts'
import { type Caller, createCaller, type Heard } from './ask.ts'
import { shutWithinMs } from './check/index.ts'
import type { Cluster, GatewayNode } from './cluster.ts'
import { deleteOf, makers, type Operation, openOf } from './operations.ts'
import type { Attempt, Shut } from './record.ts'

export interface Clients {
  readonly attempts: readonly Attempt[]
  readonly shuts: readonly Shut[]
  /** Titles of the uploaded videos, by id. */
  readonly titles: ReadonlyMap<string, string>
  readonly credentials: ReadonlySet<string>
  readonly caller: Caller
  stop(): Promise<void>
}

export interface ClientsOptions {
  readonly cluster: Cluster
  readonly random: Random
  readonly now: () => number
  readonly token: string
  readonly count: number
  /** The longest pause of a client between requests. */
  readonly thinkMs: number
  /** How long one credential is used. */
  readonly credentialMs: number
}

const mostAttempts = 6
/** A credential counts as used up after this many refusals. */
const mostRefusals = 25

export function startClients(options: ClientsOptions): Clients {
  const { cluster, random, now, token, count, thinkMs, credentialMs } = options
  const caller = createCaller()
  const attempts: Attempt[] = []
  const shuts: Shut[] = []
  const titles = new Map<string, string>()
  const credentials = new Set<string>()
  const deletable: string[] = []
  const watches = new Set<Promise<void>>()
  let serial = 0
  let stopped = false
  let current = { credential: 'nobody', since: Number.NEGATIVE_INFINITY, refusals: 0 }

  function credentialOfNow(): string {
    if (now() - current.since > credentialMs || current.refusals >= mostRefusals) {
      current = { credential: `c${credentials.size}`, since: now(), refusals: 0 }
      credentials.add(current.credential)
    }
    return current.credential
  }

  function noteShut(credential: string): void {
    const watch = wait(shutWithinMs).then(() => {
      shuts.push({ credential, place: cluster.sandbox.journal.length })
      watches.delete(watch)
    })
    watches.add(watch)
  }

  interface Sending {
    readonly client: number
    readonly operation: Operation
    readonly key: string | undefined
    readonly credential: string
  }

  async function attempt(sending: Sending, send: (node: GatewayNode) => Promise<Heard>): Promise<Heard> {
    const { client, operation, key, credential } = sending
    const node = random.pick(cluster.gateways)
    const invoked = now()
    const heard = await send(node)
    const { kind, effect, most } = operation
    const { codes, value, spent, refusal } = heard
    if (codes.includes('QUOTA_EXCEEDED') && credential === current.credential) current.refusals += 1
    if (heard.shut) noteShut(credential)
    const ledger =
      kind === 'budget' && value !== undefined
        ? (value as { limit: number; used: number; remaining: number })
        : undefined
    attempts.push({
      client,
      gateway: node.number,
      kind,
      effect,
      key,
      credential,
      invoked,
      completed: heard.answered ? now() : Number.POSITIVE_INFINITY,
      ending: heard.ending,
      codes,
      answer: key !== undefined && value !== undefined ? JSON.stringify(value) : undefined,
      spent,
      most: kind === 'budget' ? 0 : most,
      refusal,
      ledger,
    })
    return heard
  }

  const headersOf = (credential: string) => ({
    authorization: `Bearer ${token}`,
    'x-videos-authorization': `Bearer ${credential}`,
  })

  const ask = (sending: Sending): Promise<Heard> => {
    const { operation, key, credential } = sending
    const headers = {
      ...headersOf(credential),
      'tessera-quota': '1',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    }
    return attempt(sending, ({ url }) => caller.ask(url, { ...operation, headers }))
  }

  /** Repeats it until it is done or finally refused. */
  async function insist(sending: Sending, send: (sending: Sending) => Promise<Heard>): Promise<Heard> {
    let heard = await send(sending)
    for (let times = 1; times < mostAttempts && heard.ending !== 'done'; times += 1) {
      if (heard.codes.includes('QUOTA_EXCEEDED') || heard.codes.includes('CONFLICT')) break
      await wait(random.between(50, 1200))
      heard = await send(sending)
    }
    return heard
  }

  async function write(client: number, operation: Operation, credential: string): Promise<Heard> {
    const chance = random.next()
    if (chance < 0.25) return ask({ client, operation, key: undefined, credential })
    const sending: Sending = { client, operation, key: `key of ${operation.effect}`, credential }
    if (chance < 0.5) {
      const confirmed = await confirmer(operation, credential)
      const key = `confirmation of ${operation.effect}`
      if (confirmed !== undefined) return writeWith({ ...sending, key }, confirmed)
    }
    return writeWith(sending, ask)
  }

  async function writeWith(sending: Sending, send: (sending: Sending) => Promise<Heard>): Promise<Heard> {
    const twin = random.next() < 0.15 ? insist(sending, send) : undefined
    const heard = await insist(sending, send)
    await twin
    if (heard.ending === 'done' && random.next() < 0.2) await send(sending)
    return heard
  }

  /**
   * Does as an agent does: the change returns a confirmation, which is sent to any gateway. Undefined if no
   * confirmation is needed.
   */
  async function confirmer(
    operation: Operation,
    credential: string,
  ): Promise<((sending: Sending) => Promise<Heard>) | undefined> {
    const asked = { ...operation, headers: headersOf(credential) }
    const confirmation = await caller.askBack(random.pick(cluster.gateways).url, asked)
    if (confirmation === undefined) return undefined
    return (sending) => attempt(sending, ({ url }) => caller.confirm(url, asked, confirmation))
  }

  async function upload(client: number, credential: string): Promise<void> {
    serial += 1
    const title = `title ${serial}`
    const opened = await write(client, openOf(title), credential)
    const address = (opened.value as { upload?: { url?: string } } | undefined)?.upload?.url
    if (address === undefined) return
    const { pathname } = new URL(address)
    const operation: Operation = { kind: 'upload', effect: title, query: '', variables: {}, most: 0 }
    const headers = headersOf(credential)
    const { ending, value } = await insist({ client, operation, key: undefined, credential }, (sending) =>
      attempt(sending, ({ url }) => caller.put(url + pathname, headers)),
    )
    if (ending !== 'done') return
    titles.set(String(value), title)
    deletable.push(String(value))
  }

  async function one(client: number): Promise<void> {
    const credential = credentialOfNow()
    const chance = random.next()
    if (chance < 0.02) return upload(client, credential)
    const videoId = chance < 0.05 ? deletable.shift() : undefined
    if (videoId !== undefined) {
      await write(client, deleteOf(videoId), credential)
      return
    }
    serial += 1
    const operation = random.draw(makers)(random, serial)
    if (operation.kind === 'read' || operation.kind === 'budget')
      await ask({ client, operation, key: undefined, credential })
    else await write(client, operation, credential)
  }

  const running = Promise.all(
    Array.from({ length: count }, async (_, client) => {
      while (!stopped) {
        await one(client)
        await wait(random.between(0, thinkMs))
      }
    }),
  )
  return {
    attempts,
    shuts,
    titles,
    credentials,
    caller,
    async stop() {
      stopped = true
      await running
      await Promise.all(watches)
    },
  }
}
