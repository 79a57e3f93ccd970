/** What a gateway writes once more when Redis is back: in which order, how much at one time, and how often. */
import { test as anyTest, expect } from 'vitest'
import type { Logger } from '../../../../../gateway/telemetry/log.ts'
import { startRedis, withRedis } from '../../../../support/redis.ts'
import { startProxy } from '../../../../support/tcp-proxy.ts'
import { away, back, begin, freshAccount, open, refusedSteps, spent, unspent } from './kit.ts'

const test = anyTest.skipIf(!withRedis('restoring the quota ledger in Redis'))

/** Tells writes apart from all other steps in what is sent to Redis. */
const promiseMs = 123_457

/** Steps that reserve or write, as a proxy sees them pass: how many there were, and the most at one time. */
function countWrites() {
  const written = { steps: 0, most: 0 }
  let answered = 0
  const times = (text: string, part: RegExp): number => text.match(part)?.length ?? 0
  const watch = (from: 'client' | 'server', chunk: Buffer): void => {
    const text = chunk.toString('latin1')
    if (from === 'client') written.steps += times(text, new RegExp(`\\r\\n${promiseMs}\\r\\n`, 'g'))
    // A list of six numbers, or of two texts: other steps have three parts, or lists instead of texts.
    else answered += times(text, /\*(6\r\n:|2\r\n\$)/g)
    written.most = Math.max(written.most, written.steps - answered)
  }
  return { written, watch }
}

test('writes one account after another, so that other steps come in between, and each only once', async () => {
  await using server = await startRedis()
  const { written, watch } = countWrites()
  await using proxy = await startProxy(server.port, watch)
  await using ledger = await open(proxy.port, { promiseMs })
  const [held, settled] = [Array.from({ length: 4 }, freshAccount), Array.from({ length: 4 }, freshAccount)]
  await away(proxy, ledger)
  for (const account of held) await ledger.reserve(account, account.credential, 5, 10)
  for (const account of settled) await ledger.settle(account, '', spent(3))
  expect(written).toEqual({ steps: 0, most: 0 })

  await back(proxy, ledger)
  await using other = await open(server.port)
  for (const account of held)
    await expect.poll(() => other.read(account)).toEqual({ ...unspent, reserved: 5 })
  for (const account of settled) await expect.poll(() => other.read(account)).toMatchObject({ used: 3 })
  expect(written.most).toBe(1)

  // By when as many steps have been answered as there are accounts, whatever was still to be written is.
  const readAll = async (): Promise<void> => {
    for (const account of [...held, ...settled]) await ledger.read(account)
  }
  await readAll()
  const { steps } = written
  await readAll()
  expect(written.steps).toBe(steps)
})

test('restores what a server lost although that server refuses the announcement of the gateway', async () => {
  await using server = await startRedis()
  await using proxy = await startProxy(server.port)
  await using ledger = await open(proxy.port)
  const account = freshAccount()
  await ledger.reserve(account, 'a', 5, 10)
  await using next = await startRedis()
  await next.command('SET', 'tessera:quota:gateways', 'no set')
  proxy.target = next.port
  await away(proxy, ledger)
  await back(proxy, ledger)
  const book = `tessera:quota:{${account.day}:${account.credential}}`
  await expect.poll(() => next.command('ZRANGE', `${book}:promises`, '0', '-1')).toBe('5 a\n')
})

test('restores all accounts but one that cannot be written, and tries that one again only after a successful step', async () => {
  await using server = await startRedis()
  await using proxy = await startProxy(server.port)
  // That the gateway is there is not said again during the test, which would be such a step.
  await using ledger = await open(proxy.port, { presenceMs: 3_600_000 })
  const [before, broken, behind] = [freshAccount(), freshAccount(), freshAccount()]
  for (const account of [before, broken, behind]) {
    await ledger.settle(account, '', spent(1))
    await ledger.reserve(account, account.credential, 5, 10)
  }
  await using next = await startRedis()
  await next.command('SET', `tessera:quota:{${broken.day}:${broken.credential}}`, 'no book')
  proxy.target = next.port
  await away(proxy, ledger)
  await back(proxy, ledger)
  await expect.poll(() => refusedSteps(next)).toBeGreaterThan(0)
  await ledger.settle(freshAccount(), '', spent(1))
  await using other = await open(next.port)
  for (const account of [before, behind])
    await expect.poll(() => other.read(account)).toMatchObject({ used: 1, reserved: 5 })

  const readOften = async (): Promise<void> => {
    for (let count = 0; count < 10; count++) await ledger.read(before)
  }
  await readOften()
  const refused = await refusedSteps(next)
  await readOften()
  expect(await refusedSteps(next)).toBe(refused)
  await ledger.settle(freshAccount(), '', spent(1))
  await expect.poll(() => refusedSteps(next)).toBeGreaterThan(refused)
})

test('has all that a gateway knows when that gateway is closed as soon as Redis is back', async () => {
  await using server = await startRedis()
  await using next = await startRedis()
  const { written, watch } = countWrites()
  await using proxy = await startProxy(server.port, watch)
  let closed: Promise<void> | undefined
  const log = {
    warn: (...said: unknown[]) => void ledger.lines.push(String(said.at(-1))),
    info: () => {
      closed = ledger.close()
    },
  } as unknown as Logger
  await using ledger = begin(proxy.port, { promiseMs, log })
  await expect.poll(() => ledger.now?.()).toBeDefined()
  const [held, settled] = [Array.from({ length: 3 }, freshAccount), Array.from({ length: 50 }, freshAccount)]
  for (const account of held) await ledger.reserve(account, account.credential, 5, 10)
  await away(proxy, ledger)
  for (const account of settled) await ledger.settle(account, '', spent(3))
  expect(written).toEqual({ steps: held.length, most: 1 })
  proxy.target = next.port
  proxy.become({ kind: 'sound' })
  await expect.poll(() => closed !== undefined).toBe(true)
  await closed
  await using other = await open(next.port)
  for (const account of held) expect(await other.read(account)).toEqual({ ...unspent, reserved: 5 })
  for (const account of settled) expect(await other.read(account)).toMatchObject({ used: 3 })
  // Together, and not one after the other: if Redis is silent, each may take a second.
  expect(written.most).toBeGreaterThan(2)
})
