/** Redis: whether it can be reached, lets us in and takes writes by scripts, which is what the gateway sends it. */
import { randomBytes } from 'node:crypto'
import { createRedis } from '../../redis/index.ts'
import { reasonOf } from '../call-reason.ts'
import { type Finding, placeOf, timed } from './finding.ts'

const script = `redis.call('SET', KEYS[1], '1', 'PX', 1000) return redis.call('GET', KEYS[1])`

/** Longer than the gateway waits, so that what is slow for once is not reported as away. */
const patienceMs = 5000

const reach = 'see that it runs and is reached from here by TESSERA_REDIS_URL'

/** By the first word of Redis' own error, or of its client's. */
const cures: Readonly<Record<string, readonly [said: string, cure: string]>> = {
  NOAUTH: ['it requires a password', 'put one into TESSERA_REDIS_URL: redis://:PASSWORD@HOST:PORT'],
  WRONGPASS: ['it does not take the user and password', 'correct them in TESSERA_REDIS_URL'],
  NOPERM: ['the user may not run scripts', 'allow the user EVAL, EVALSHA and the keys tessera:*'],
  READONLY: ['it is a replica that takes no writes', 'let TESSERA_REDIS_URL name the primary'],
  Command: ['it does not answer in time', reach],
  OOM: ['it has no memory left', 'give it more, with the policy volatile-ttl'],
}

export async function checkRedis(url: string): Promise<Finding> {
  const redis = createRedis(url, { commandMs: patienceMs, connectMs: patienceMs })
  let failure: unknown
  redis.on('error', (error) => {
    failure ??= error
  })
  const [outcome, milliseconds] = await timed(async (): Promise<Pick<Finding, 'said' | 'cure'>> => {
    try {
      await redis.connect()
      await redis.eval(script, 1, `tessera:check:${randomBytes(8).toString('hex')}`)
      return {}
    } catch (error) {
      const cause = failure ?? error
      const word = cause instanceof Error ? (cause.message.split(' ', 1)[0] ?? '') : ''
      const [said, cure] = cures[word] ?? [reasonOf(cause), reach]
      return { said, cure }
    } finally {
      redis.disconnect()
    }
  })
  return { subject: 'redis', place: placeOf(url), milliseconds, tried: 'wrote a key by a script', ...outcome }
}
