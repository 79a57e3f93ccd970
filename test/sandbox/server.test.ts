/** The HTTP server of the sandbox: which requests it answers at all. */
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/index.ts'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { postJson } from '../support/post-json.ts'

/** The status of a request whose `Host` header is that text; `fetch` does not let one set it. */
function statusFor(sandbox: Sandbox, host: string): Promise<number | undefined> {
  const { hostname, port } = new URL(sandbox.url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: '/api/v1/query?query=1', headers: { host } }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function statusesFor(options: SandboxOptions, hosts: readonly string[]): Promise<object> {
  await using sandbox = await startSandbox(options)
  const statuses: [string, number | undefined][] = []
  for (const host of hosts) statuses.push([host, await statusFor(sandbox, host)])
  return Object.fromEntries(statuses)
}

test('on the loopback interface only its names are answered', async () => {
  const answered = ['localhost', 'LOCALHOST:4100', '127.0.0.1:1', '127.1.2.3', '[::1]:80', 'graph.localhost']
  const refused = [
    'rebound.example',
    'localhost.example',
    '127.0.0.1.example',
    '10.0.0.1',
    'localhost:x',
    'a@localhost',
  ]
  expect(await statusesFor({}, [...answered, ...refused, 'localhost'])).toEqual({
    ...Object.fromEntries(answered.map((host) => [host, 200])),
    ...Object.fromEntries(refused.map((host) => [host, 421])),
  })
})

test('configured names are answered, and then no others', async () => {
  const options = { allowedHosts: ['Sandbox.Internal'] }
  expect(await statusesFor(options, ['sandbox.internal:4100', 'localhost'])).toEqual({
    'sandbox.internal:4100': 200,
    localhost: 421,
  })
})

test('a sandbox that listens on other interfaces is answered under any name, and has the URL of this machine', async () => {
  await using sandbox = await startSandbox({ host: '0.0.0.0' })
  expect(new URL(sandbox.url).hostname).toBe('127.0.0.1')
  expect(await statusFor(sandbox, 'sandbox:4100')).toBe(200)
})

test('a refused name is not in the journal', async () => {
  await using sandbox = await startSandbox()
  await statusFor(sandbox, 'rebound.example')
  expect(sandbox.journal).toEqual([])
})

test('a body beyond the bound is refused and not kept', async () => {
  await using sandbox = await startSandbox()
  const send = (bytes: number) =>
    postJson(`${sandbox.url}/v2beta1/projects/demo/agent:import`, 'a'.repeat(bytes)).then(
      ({ status }) => status,
    )
  const bound = 16 * 1024 * 1024
  expect(await send(bound)).toBe(400)
  expect(await send(bound + 1)).toBe(413)
  expect(sandbox.journal).toHaveLength(1)
})

test('what is changed in one sandbox is in no other, and gone after a reset', async () => {
  const options: SandboxOptions = { now: () => Date.UTC(2026, 0, 1) }
  await using changed = await startSandbox(options)
  await using other = await startSandbox(options)
  const [video] = sampleVideos.own
  const paths = [
    `/media/v3/videos?part=statistics&id=${video}`,
    `/media/v3/commentThreads?part=snippet&videoId=${video}`,
    `/2/tweets?ids=${sampleMessages.ordinary}`,
    `/2/tweets/${sampleMessages.popular}/liking_users`,
  ]
  const bodiesOf = (sandbox: Sandbox): Promise<string[]> =>
    Promise.all(paths.map(async (path) => (await fetch(new URL(path, sandbox.url))).text()))
  const first = await bodiesOf(changed)
  changed.change('videos', { videoId: video, statistics: { viewCount: '1' } })
  changed.change('videos', { videoId: video, comment: 'First!' })
  changed.change('messages', { messageId: sampleMessages.ordinary, fields: { text: 'Changed' } })
  changed.change('messages', { messageId: sampleMessages.popular, like: sampleMessages.demoUser })
  expect(() => changed.change('video', {})).toThrow(
    'there is nothing to change at video; expected one of videos, agents, messages, metrics',
  )
  const then = await bodiesOf(changed)
  expect(then.map((body, i) => body === first[i])).toEqual([false, false, false, false])
  expect(await bodiesOf(other)).toEqual(first)
  changed.reset()
  expect(await bodiesOf(changed)).toEqual(first)
})

test('a fault that cannot be applied is refused, and no call hangs because of it', async () => {
  await using sandbox = await startSandbox({})
  expect(() => sandbox.fail({ kind: 'delay' as never })).toThrow('a fault needs a kind: one of status, ')
  const kind = 'status'
  expect(() => sandbox.fail({ kind, status: 99 })).toThrow("a fault's status is from 200 to 599, not 99")
  expect(() => sandbox.fail({ kind, times: Number.NaN })).toThrow("a fault's times are a number of 0 or more")
  expect((await fetch(`${sandbox.url}/api/v1/query?query=1`)).status).toBe(200)
})

test.each([
  { service: 'metrcis' },
  { operation: 'videos.lits' },
  { service: 'metrics', operation: 'videos.list' },
])('a fault that is for no call is refused: %o', async (calls) => {
  await using sandbox = await startSandbox({})
  expect(() => sandbox.fail({ kind: 'hang', ...calls })).toThrow('no call is for this fault: {"kind":"hang",')
})
