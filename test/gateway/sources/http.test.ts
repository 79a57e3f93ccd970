/** A text at an address that answers as no registry does: bounded in time and bytes, with a reason. */
import { expect, test } from 'vitest'
import { testSources, textOrReason } from '../../support/sources.ts'
import {
  bomb,
  hang,
  raw,
  redirect,
  type Script,
  shorter,
  startFaultyServer,
} from '../../support/faulty-server.ts'

const key = { header: 'x-key', value: 'hunter2' }

test.each<[string, Script, RegExp]>([
  ['never answers', hang, /did not respond \(timeout\)/],
  [
    'never ends, and is slow',
    (response) => {
      const timer = setInterval(() => response.write('#'), 50)
      response.on('close', () => clearInterval(timer))
    },
    /did not respond \(timeout\)/,
  ],
  [
    'never ends',
    (response) => {
      const more = (): void => {
        if (!response.destroyed) response.write('#'.repeat(65_536), () => setImmediate(more))
      }
      more()
    },
    /did not respond \(too-large\)/,
  ],
  ['is small until it is unpacked', bomb(20), /did not respond \(too-large\)/],
  ['breaks off', shorter, /did not respond/],
  [
    'leads round in a circle',
    (response, { url }) => void response.writeHead(302, { location: url }).end(),
    /more than 5 redirects/,
  ],
  [
    'says that nothing has changed before it has sent anything',
    raw('', {}, 304),
    /answered 304 to a request without a condition/,
  ],
  ['leads to what is no HTTP', redirect('file:///etc/passwd'), /cannot be followed/],
  ['leads to an address with a user', redirect('http://a:hunter2@127.0.0.1:1/'), /cannot be followed/],
])(
  'an address that %s is refused, and neither its key nor its path is shown',
  async (_what, script, reason) => {
    await using origin = await startFaultyServer(script)
    const { chain, notes } = testSources(`${origin.url}/supergraph?secret=hunter2`, {
      key,
      ...(String(reason).includes('timeout') && { timeoutMs: 1500 }),
    })
    const failure = await textOrReason(chain)
    expect(failure).toMatch(reason)
    expect(failure + JSON.stringify(notes)).not.toMatch(/hunter2|\/supergraph/)
  },
)

test('a redirect is followed, and its key stays with the origin that it is for', async () => {
  await using elsewhere = await startFaultyServer(raw('the text', {}))
  await using origin = await startFaultyServer((response, { url }) => {
    const location = url === '/a' ? '/b' : `${elsewhere.url}/c`
    response.writeHead(307, { location }).end()
  })
  const { chain } = testSources(`${origin.url}/a`, { key })
  expect(await textOrReason(chain)).toBe('the text')
  expect(origin.arrived.map(({ url, headers }) => [url, headers['x-key']])).toEqual([
    ['/a', 'hunter2'],
    ['/b', 'hunter2'],
  ])
  expect(elsewhere.arrived.map(({ url, headers }) => [url, headers['x-key']])).toEqual([['/c', undefined]])
})

test('a key that left its origin does not come back to it', async () => {
  await using elsewhere = await startFaultyServer((response) => {
    response.writeHead(302, { location: `${origin.url}/back` }).end()
  })
  await using origin = await startFaultyServer((response, { url }) => {
    if (url === '/back') response.end('the text')
    else response.writeHead(302, { location: elsewhere.url }).end()
  })
  const { chain } = testSources(origin.url, { key })
  expect(await textOrReason(chain)).toBe('the text')
  expect(origin.arrived.map(({ headers }) => headers['x-key'])).toEqual(['hunter2', undefined])
})

test('a text with another SHA-256 than the address names is refused', async () => {
  await using origin = await startFaultyServer(raw('the text', {}))
  const pinned = '#sha256=9b22d5a2e1d9d5a3a7d5b6d3d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9'
  const { chain, notes } = testSources(`${origin.url}/a${pinned}`)
  expect(await textOrReason(chain)).toContain('SHA-256 differs')
  expect(notes).toMatchObject([{ result: 'refused' }])
})
