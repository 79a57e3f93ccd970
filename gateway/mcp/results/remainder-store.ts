/**
 * The remainders of tool results: what was cut off, kept for ten minutes in this process, or in Redis for several
 * gateways. A remainder belongs to one caller, whose newest sixteen are kept. It is not kept if it exceeds the bound of
 * one remainder, of one caller or of all callers.
 */
import { randomBytes } from 'node:crypto'
import type { LRUCache } from 'lru-cache'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import { type Kind, longestEvictableSeconds, type Step, type Stores } from '../../stores/index.ts'

export type RemainderStore = ReturnType<typeof createRemainderStore>

const keptMs = longestEvictableSeconds * 1000
const mostOfCaller = 16
const mostCharacters = 4_000_000
/** The keys and the place of a remainder, in addition to its text. */
const entryCharacters = 400
/** The bound for all remainders of one caller, so that a few callers cannot take all of the memory. */
const mostOfCallerCharacters = 16_000_000
const mostOfAll = 64_000_000
/** In Redis, of everything that begins to be kept within `keptMs`. */
const mostOfAllInRedis = 256_000_000

/** The most characters of one caller, and of all. */
interface RemainderLimits {
  readonly ofCaller?: number
  readonly ofAll?: number
}

/** `limits`: for tests. */
export function createRemainderStore(stores: Stores, limits: RemainderLimits = {}) {
  const store = stores.open(remaindersKind(limits))
  return {
    /** The handle under which it is kept; undefined if it is not. */
    async put(caller: string, text: string): Promise<string | undefined> {
      // Another process would not know the handle.
      if (text.length > mostCharacters || stores.isApart) return undefined
      const handle = randomBytes(12).toString('base64url')
      const slot = await store.run(putStep, { caller, handle, text, ...limits })
      return slot === undefined ? undefined : `${slot.toString(16)}-${handle}`
    },
    async get(caller: string, given: string): Promise<string | undefined> {
      const [, slot = '', handle] = /^([0-9a-f])-([\w-]{16})$/.exec(given) ?? []
      if (handle === undefined) return undefined
      return store.run(getStep, { caller, slot: Number.parseInt(slot, 16), handle })
    },
    close: (): void => store.close(),
  }
}

interface Remainders {
  /** By caller and slot. */
  readonly kept: LRUCache<string, { readonly handle: string; readonly text: string }>
  /** The slot that each caller gets next. */
  readonly next: LRUCache<string, number>
}

interface NewRemainder extends RemainderLimits {
  readonly caller: string
  readonly handle: string
  readonly text: string
}

interface KeptRemainder {
  readonly caller: string
  readonly slot: number
  readonly handle: string
}

const keyOf = (caller: string, name: string | number): string => `tessera:mcp:{${caller}}:${name}`

// Returns the slot. KEYS: what begins to be kept of the caller and of all in one stretch of time, of which at most two
// are kept at once, and the next slot. ARGV: handle, text, its length, the most of the caller and of all, how long it is
// kept, the number of slots, what the keys of the caller's rests begin with.
const putStep: Step<Remainders, NewRemainder, number | undefined> = {
  memory({ kept, next }, { caller, handle, text, ofCaller = mostOfCallerCharacters }) {
    const slot = (next.get(caller) ?? 0) % mostOfCaller
    let sum = text.length
    for (let n = 0; n < mostOfCaller; n++)
      if (n !== slot) sum += kept.peek(`${caller} ${n}`)?.text.length ?? 0
    if (sum > ofCaller) return undefined
    next.set(caller, slot + 1)
    kept.set(`${caller} ${slot}`, { handle, text })
    return slot
  },
  redis: {
    lua: `
for n = 1, 2 do
  local sum = redis.call('INCRBY', KEYS[n], ARGV[3])
  redis.call('PEXPIRE', KEYS[n], 2 * ARGV[6])
  if sum > tonumber(ARGV[3 + n]) then return false end
end
local slot = redis.call('INCR', KEYS[3]) % ARGV[7]
redis.call('PEXPIRE', KEYS[3], ARGV[6])
redis.call('SET', ARGV[8] .. slot, string.format('%x', slot) .. '-' .. ARGV[1] .. ' ' .. ARGV[2], 'PX', ARGV[6])
return slot`,
    keys({ caller }) {
      const stretch = `kept:${Math.floor(Date.now() / keptMs)}`
      return [keyOf(caller, stretch), keyOf('all', stretch), keyOf(caller, 'next')]
    },
    args: ({ caller, handle, text, ofCaller = mostOfCallerCharacters, ofAll = mostOfAllInRedis }) => [
      ...[handle, text, text.length, ofCaller, ofAll, keptMs, mostOfCaller, keyOf(caller, '')],
    ],
    read: (reply) => (typeof reply === 'number' ? reply : undefined),
  },
}

const getStep: Step<Remainders, KeptRemainder, string | undefined> = {
  memory({ kept }, { caller, slot, handle }) {
    const found = kept.get(`${caller} ${slot}`)
    return found?.handle === handle ? found.text : undefined
  },
  redis: {
    command: 'get',
    keys: ({ caller, slot }) => [keyOf(caller, slot)],
    args: () => [],
    read: (reply, { slot, handle }) => {
      const beginning = `${slot.toString(16)}-${handle} `
      return typeof reply === 'string' && reply.startsWith(beginning)
        ? reply.slice(beginning.length)
        : undefined
    },
  },
}

export const remaindersKind = ({ ofAll = mostOfAll }: RemainderLimits = {}): Kind<Remainders> => ({
  feature: 'remainders of tool results',
  away: 'what was cut off of answers to agents cannot be kept for all gateways',
  back: 'what was cut off of answers to agents can be kept again',
  memory: () => ({
    kept: createGrowingCache(ofAll, { weightOf: ({ text }) => text.length + entryCharacters, ttl: keptMs }),
    next: createGrowingCache<number>(10_000),
  }),
  keys: ['tessera:mcp:*'],
  steps: [putStep, getStep],
  async attempt(run, id) {
    const caller = `check:${id}`
    const slot = await run(putStep, { caller, handle: id, text: id })
    await run(getStep, { caller, slot: slot ?? 0, handle: id })
  },
})
