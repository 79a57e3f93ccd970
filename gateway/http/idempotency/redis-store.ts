/** Outcomes of mutations that all gateways share. While Redis is away, mutations with a key are refused. */
import { hash } from 'node:crypto'
import { tesseraError } from '../../../contract/errors.ts'
import type { Logger } from '../../observe/log.ts'
import { createConfirm, createRedis, createSharedClock, tellAbsence, timeFrom } from '../../redis/index.ts'
import { readEntry } from './entry.ts'
import type { OutcomeStore } from './store.ts'

/** In one step: what is there is exchanged only if it is what was expected. */
const swapScript = `
local known = redis.call('GET', KEYS[1])
if (known == false and ARGV[1] == '') or known == ARGV[1] then
  if ARGV[2] == '' then redis.call('DEL', KEYS[1])
  else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
end
local time = redis.call('TIME')
return { known, time[1], time[2] }`

export function createRedisOutcomes({
  url,
  log,
  replicas,
}: {
  readonly url: string
  readonly log: Logger
  /** Replicas that must have a key before its request is executed. */
  readonly replicas: number
}): OutcomeStore {
  const redis = createRedis(url)
  const confirm = createConfirm(redis, replicas)
  const clock = createSharedClock()
  const goneAway = tellAbsence(redis, log, {
    away: 'the outcomes of mutations are away: those with an idempotency key are refused until they are back',
    back: 'the outcomes of mutations are back',
  })
  const unavailable = (cause: unknown) => {
    goneAway()
    return tesseraError(
      'IDEMPOTENCY_UNAVAILABLE',
      'The outcomes of mutations cannot be kept at the moment; nothing more was done.',
      { retryAfter: 5, cause },
    )
  }
  const connected = redis.connect().catch(goneAway)
  async function exchange(
    name: string,
    expected: string | undefined,
    next: string | undefined,
    forMs: number,
  ): Promise<string | undefined> {
    const [known, ...time] = (await redis.eval(
      swapScript,
      1,
      name,
      expected ?? '',
      next ?? '',
      String(Math.ceil(forMs)),
    )) as readonly (string | null)[]
    clock.hear(timeFrom(time.map(Number)))
    return known ?? undefined
  }

  return {
    async swap({ caller, key }, expected, next, forMs) {
      await connected
      // Both come from clients; hashed, they are short, and neither can reach into the other.
      const name = `tessera:outcome:${hash('sha256', caller)}:${hash('sha256', key)}`
      try {
        const before = await exchange(name, expected, next, forMs)
        if (before === expected && next !== undefined && isBegun(expected, next) && !(await confirm())) {
          await exchange(name, next, expected, forMs)
          throw new Error('no replica has it')
        }
        return before
      } catch (cause) {
        throw unavailable(cause)
      }
    },
    async now() {
      await connected
      const known = clock.now()
      if (known !== undefined) return known
      try {
        clock.hear(timeFrom(await redis.time()))
      } catch (cause) {
        throw unavailable(cause)
      }
      return clock.now() ?? Date.now()
    },
    close() {
      redis.disconnect()
    },
  }
}

/** Whether another request has the key from now on. */
function isBegun(expected: string | undefined, next: string): boolean {
  return expected === undefined || readEntry(expected)?.attempt !== readEntry(next)?.attempt
}
