/** What a subgraph service has from the gateway's server and pipeline, and if a router needs it to differ. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Resolver, secret, startFramedService } from '../../support/framed-service.ts'
import { postJson } from '../../support/post-json.ts'

const proof = { 'router-authorization': `Bearer ${secret}` }
const strict = 'application/graphql-response+json'

function ask(url: string, query: string, headers: Record<string, string> = {}): Promise<Response> {
  return postJson(url, { query }, { accept: strict, ...proof, ...headers })
}

test('whatever was executed has status 200, as routers take others for failures of HTTP', async () => {
  await using service = await startFramedService({
    write: () => {
      throw new Error('the secret of the write')
    },
  })
  const executed = await ask(service.url, 'mutation { write }')
  expect(executed.status).toBe(200)
  const nothing = await ask(service.url, '{ required }')
  expect([nothing.status, ((await nothing.json()) as { data: unknown }).data]).toEqual([200, null])
  const refused = await ask(service.url, '{ nothing }')
  expect(refused.status).toBe(400)
  const metrics = await (await fetch(new URL('/metrics', service.url))).text()
  for (const code of ['INTERNAL_SERVER_ERROR', 'GRAPHQL_VALIDATION_FAILED'])
    expect(metrics).toContain(`tessera_errors_total{code="${code}"}`)
})

test('a fault without a code is masked by HTTP and in frames, with or without a trace', async () => {
  const failing: Resolver = () => {
    throw new Error('the secret of the resolver')
  }
  await using service = await startFramedService({ slow: failing })
  const masked = {
    data: { slow: null },
    errors: [
      {
        path: ['slow'],
        message: expect.stringMatching(/^Internal error/),
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ],
  }
  expect(await (await ask(service.url, '{ slow }')).json()).toMatchObject(masked)
  const traced = await ask(service.url, '{ slow }', { 'apollo-federation-include-trace': 'ftv1' })
  expect(await traced.json()).toMatchObject({ ...masked, extensions: { ftv1: expect.any(String) } })
  await service.connected()
  const { data, errors } = await service.prepare('{ slow }')({}, service.asking())
  expect({ data, errors }).toMatchObject(masked)
  expect(service.sent).toEqual(['frames'])
  expect(service.lines.join('')).toContain('the secret of the resolver')
})

test('a request without proof is refused before anything is said about its form', async () => {
  await using service = await startFramedService({})
  for (const headers of [{ accept: 'text/html' }, { 'content-type': 'text/plain' }]) {
    expect((await ask(service.url, '{ echo }', { ...headers, 'router-authorization': 'no' })).status).toBe(
      401,
    )
    expect([406, 415]).toContain((await ask(service.url, '{ echo }', headers)).status)
  }
})

test('by GET only queries are executed, and by methods other than GET and POST nothing', async () => {
  let writes = 0
  await using service = await startFramedService({
    write() {
      writes += 1
      return 'written'
    },
  })
  const body = JSON.stringify({ query: 'mutation { write }' })
  const headers = { 'content-type': 'application/json', accept: strict, ...proof }
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect((await fetch(service.url, { method, headers, body })).status).toBe(405)
  const get = (query: string) => fetch(`${service.url}?${new URLSearchParams({ query })}`, { headers: proof })
  expect((await get('mutation { write }')).status).toBe(405)
  expect(writes).toBe(0)
  expect(await (await get('{ echo(text: "x") }')).json()).toEqual({ data: { echo: 'x' } })
})

test('GraphQL is served at the root as well, and bodies may be compressed', async () => {
  await using service = await startFramedService({})
  const response = await fetch(new URL('/', service.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', ...proof },
    body: gzipSync(JSON.stringify({ query: '{ echo(text: "ä") }' })),
  })
  expect(await response.json()).toEqual({ data: { echo: 'ä' } })
})
