/** Outcomes of mutations that all gateways share. While Redis is away, mutations with a key are refused. */
import { hash } from 'node:crypto'
import { tesseraError } from '../../../contract/errors.ts'
import type { Logger } from '../../observe/log.ts'
import { createRedis, tellAbsence } from '../../redis/index.ts'
import type { OutcomeStore } from './store.ts'

/** In one step: what is there is exchanged only if it is what was expected. */
const swapScript = `
local known = redis.call('GET', KEYS[1])
if (known == false and ARGV[1] == '') or known == ARGV[1] then
  if ARGV[2] == '' then redis.call('DEL', KEYS[1])
  else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
end
return known`

export function createRedisOutcomes({
  url,
  log,
}: {
  readonly url: string
  readonly log: Logger
}): OutcomeStore {
  const redis = createRedis(url)
  const goneAway = tellAbsence(redis, log, {
    away: 'the outcomes of mutations are away: those with an idempotency key are refused until they are back',
    back: 'the outcomes of mutations are back',
  })
  const connected = redis.connect().catch(goneAway)
  return {
    async swap({ caller, key }, expected, next, forMs) {
      await connected
      // Both come from clients; hashed, they are short, and neither can reach into the other.
      const name = `tessera:outcome:${hash('sha256', caller)}:${hash('sha256', key)}`
      try {
        const known = await redis.eval(
          swapScript,
          1,
          name,
          expected ?? '',
          next ?? '',
          String(Math.ceil(forMs)),
        )
        return typeof known === 'string' ? known : undefined
      } catch (cause) {
        goneAway()
        throw tesseraError(
          'IDEMPOTENCY_UNAVAILABLE',
          'The outcomes of mutations cannot be kept at the moment; nothing more was done.',
          { retryAfter: 5, cause },
        )
      }
    },
    close() {
      redis.disconnect()
    },
  }
}
