/** GraphQL over HTTP to the letter: the audit of graphql-http, warnings included, on both kinds of server. */
import { auditServer } from 'graphql-http'
import { expect, test } from 'vitest'
import { startSandbox } from '../../../sandbox/index.ts'
import { startGraph } from '../../support/graph.ts'
import { serviceSecret, startServices } from '../../support/services.ts'

/** What the audit found wanting: errors and warnings. */
async function findings(url: string, headers: Record<string, string> = {}): Promise<string[]> {
  const results = await auditServer({
    url,
    fetchFn: (input: string, init: RequestInit = {}) =>
      fetch(input, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }),
  })
  expect(results.length).toBeGreaterThan(50)
  return results.flatMap((result) =>
    result.status === 'ok' || result.status === 'notice'
      ? []
      : [`${result.status} ${result.id} ${result.name}: ${result.reason}`],
  )
}

test('the gateway passes the audit whole', async () => {
  await using graph = await startGraph()
  expect(await findings(graph.url)).toEqual([])
})

test('the edition of September 2026 contradicts the audit in 24 of its checks', async () => {
  await using graph = await startGraph({ env: { TESSERA_HTTP_PROFILE: '2026' } })
  const results = await auditServer({ url: graph.url, fetchFn: fetch })
  expect(results.length).toBe(61)
  expect(results.filter(({ status }) => status !== 'ok').length).toBe(24)
})

test('a subgraph service passes the audit whole', async () => {
  await using sandbox = await startSandbox()
  await using services = await startServices(sandbox.url, {}, ['nodes'])
  expect(await findings(services.urls.nodes, { 'router-authorization': `Bearer ${serviceSecret}` })).toEqual(
    [],
  )
})
