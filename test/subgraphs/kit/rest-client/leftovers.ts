/**
 * A process of its own for a test: uses the client in every way, closes it, and prints what would keep the
 * process alive. It never exits by command, so that anything left over is seen.
 */
import { createUpstream } from '../../../../subgraphs/kit/rest-client/index.ts'
import { testRequest } from '../../../support/request.ts'
import { read, write } from '../../../support/upstream.ts'

const upstream = createUpstream({
  service: 'videos',
  baseUrl: process.argv[2] ?? '',
  credential: { kind: 'none' },
  failure: () => undefined,
  tuning: { timeoutMs: 2000, retryDelayMs: 1, cache: { freshMs: 0 }, breaker: { consecutive: 1000 } },
})

const ends: Record<string, unknown> = {}
const note = async (name: string, call: Promise<unknown>): Promise<void> => {
  ends[name] = await call.then(
    () => 'answered',
    (error) => error.extensions.code,
  )
}
for (const path of ['/200', '/404', '/503', '/hang']) {
  await note(path, upstream.send(read(path), testRequest()))
  await note(path, upstream.send(write({ path }), testRequest()))
  await note(path, upstream.send(read(path, { cacheable: true }), testRequest()))
}
const request = testRequest()
const cancelled = upstream.send(read('/hang', { timeoutMs: 60_000 }), request)
request.cancel()
await note('cancelled', cancelled)
await upstream.close()
console.log(JSON.stringify({ ends, left: process.getActiveResourcesInfo() }))
