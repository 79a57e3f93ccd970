/** One history: starts everything, runs clients and faults, heals the faults, and collects the results. */
import { setTimeout as wait } from 'node:timers/promises'
import { SignJWT } from 'jose'
import type { Sandbox } from '../../sandbox/index.ts'
import { createRandom } from '../soak/random.ts'
import type { Caller } from './ask.ts'
import { type Clients, startClients } from './clients.ts'
import { type Cluster, startCluster, upstreamTimeoutMs } from './cluster.ts'
import { type FaultName, startNemesis } from './nemesis.ts'
import type { Charge, History, Outcome } from './record.ts'

export interface HistoryOptions {
  readonly seed: number
  readonly seconds: number
  readonly gateways?: number
  readonly clients?: number
  readonly thinkMs?: number
  /** The units of a credential. */
  readonly limit?: number
  readonly kinds?: readonly FaultName[]
  /** The mean time between two faults. */
  readonly everyMs?: number
  readonly env?: Readonly<Record<string, string>> | undefined
  /** A fault in the gateways' source, by its name in `mutants.ts`. */
  readonly mutant?: string | undefined
  /** Aborts it: every process is ended, and the history rejects. */
  readonly signal?: AbortSignal | undefined
}

const scope =
  'media.read media.write media.upload agents.read agents.write tweet.read users.read like.read like.write'

export async function runHistory(options: HistoryOptions): Promise<History> {
  const {
    seed,
    seconds,
    gateways = 3,
    clients: count = 8,
    thinkMs = 60,
    limit = 2500,
    everyMs = 700,
  } = options
  const secret = `the secret of history ${seed}`
  await using cluster = await startCluster({
    gateways,
    limit,
    secret: secret.padEnd(32, '.'),
    env: options.env,
    mutant: options.mutant,
    signal: options.signal,
  })
  const token = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('history')
    // It is valid by clocks that are a day ahead, too.
    .setExpirationTime('7d')
    .sign(new TextEncoder().encode(secret.padEnd(32, '.')))
  const began = performance.now()
  const now = (): number => performance.now() - began
  const clients = startClients({
    cluster,
    random: createRandom(seed),
    now,
    token,
    count,
    thinkMs,
    credentialMs: 12_000,
  })
  const nemesis = startNemesis({
    cluster,
    random: createRandom(seed + 1),
    now,
    kinds: options.kinds,
    everyMs,
  })
  await wait(seconds * 1000, undefined, { signal: options.signal })
  await nemesis.stop()
  await clients.stop()
  // Abandoned requests may still be at work, and units that were spent without Redis are still being reported.
  await wait(2 * upstreamTimeoutMs)
  const books = await booksOf(cluster, clients, token)
  clients.caller.close()
  return {
    limit,
    attempts: clients.attempts,
    shuts: clients.shuts,
    faults: nemesis.faults,
    outcomes: await outcomesOf(cluster.sandbox, clients.titles),
    charges: chargesOf(cluster.sandbox),
    books,
  }
}

async function booksOf(
  cluster: Cluster,
  { credentials, caller }: Clients,
  token: string,
): Promise<History['books']> {
  const books = new Map<string, { readonly used: number; readonly remaining: number }>()
  const [node] = cluster.gateways
  for (const credential of credentials) {
    books.set(credential, await bookOf(caller, node?.url ?? '', credential, token))
  }
  return books
}

async function bookOf(
  caller: Caller,
  url: string,
  credential: string,
  token: string,
): Promise<{ readonly used: number; readonly remaining: number }> {
  for (let tries = 0; tries < 20; tries += 1) {
    const { value, ending } = await caller.ask(url, {
      query: '{ f: mediaQuota { used remaining } }',
      variables: {},
      headers: { authorization: `Bearer ${token}`, 'x-videos-authorization': `Bearer ${credential}` },
    })
    if (ending === 'done') return value as { used: number; remaining: number }
    await wait(250)
  }
  throw new Error(`the ledger of ${credential} cannot be read`)
}

async function outcomesOf(sandbox: Sandbox, titles: ReadonlyMap<string, string>): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { operation, status, body } of sandbox.journal) {
    if (status !== 200) continue
    if (operation === 'commentThreads.insert') {
      const { snippet } = JSON.parse(body) as {
        snippet: { topLevelComment: { snippet: { textOriginal: string } } }
      }
      outcomes.push({ kind: 'comment', effect: snippet.topLevelComment.snippet.textOriginal })
    } else if (operation === 'agents.intents.create')
      outcomes.push({ kind: 'intent', effect: (JSON.parse(body) as { displayName: string }).displayName })
  }
  for (const { operation, key } of sandbox.writes) {
    if (operation === 'messages.like') outcomes.push({ kind: 'like', effect: key })
    else if (operation === 'videos.delete') outcomes.push({ kind: 'delete', effect: key })
  }
  for (const { videoId } of sandbox.uploads) {
    outcomes.push({ kind: 'upload', effect: titles.get(videoId) ?? (await titleOf(sandbox, videoId)) })
  }
  return outcomes
}

async function titleOf({ url }: Sandbox, videoId: string): Promise<string> {
  const answer = await fetch(`${url}/media/v3/videos?part=snippet&id=${videoId}`)
  const { items } = (await answer.json()) as { items: { snippet: { title: string } }[] }
  return items[0]?.snippet.title ?? videoId
}

function chargesOf({ journal }: Sandbox): Charge[] {
  return journal.flatMap(({ units, headers }, place) =>
    units === 0 ? [] : [{ credential: (headers.authorization ?? '').replace(/^Bearer /, ''), units, place }],
  )
}
