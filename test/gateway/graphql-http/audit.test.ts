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

test('the gateway passes the whole audit', async () => {
  await using graph = await startGraph()
  expect(await findings(graph.url)).toEqual([])
})

/** What the edition answers with 422, and the audit wants otherwise: by the ids of its checks. */
const contradicted = [
  // 400 for JSON that is no GraphQL request: no query, and parameters of another type.
  ...['423L', 'LKJ0', 'LKJ1', 'LKJ2', 'LKJ3', '6C00', '6C01', '6C02', '6C03'],
  ...['4760', '4761', '4762', '4763', '58B0', '58B1', '58B2', '58B3', '3E3A'],
  // 400 for a document that is not valid, and for variables that cannot be coerced.
  ...['74FF', '86EE'],
  // 200 for the same with `application/json`, and for a document that cannot be parsed, which the edition answers with 400.
  ...['FDE2', '7B9B', '572B'],
]

test('the edition of September 2026 contradicts the audit in 23 of its 61 checks', async () => {
  await using graph = await startGraph({ env: { TESSERA_HTTP_PROFILE: '2026' } })
  const results = await auditServer({ url: graph.url, fetchFn: fetch })
  expect(results.length).toBe(61)
  expect(contradicted.length).toBe(23)
  const failed = results.flatMap(({ status, id }) => (status === 'ok' ? [] : [id]))
  // What this one sends as a document that is not valid cannot even be parsed, so its 400 is that of the edition.
  expect(failed.sort()).toEqual(contradicted.filter((id) => id !== '74FF').sort())
})

test('a subgraph service passes the whole audit', async () => {
  await using sandbox = await startSandbox()
  await using services = await startServices(sandbox.url, {}, ['nodes'])
  expect(await findings(services.urls.nodes, { 'router-authorization': `Bearer ${serviceSecret}` })).toEqual(
    [],
  )
})
