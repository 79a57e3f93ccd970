/** The bundle loads HTTP/2 with the first connection that speaks it: the command line as a process of its own. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http2'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { postJson } from '../support/post-json.ts'
import { startTessera } from '../support/process.ts'
import { shop, startService, supergraphOf } from '../support/router.ts'
import { temporaryFolder } from '../support/temporary.ts'

test('a subgraph is called by HTTP/2', async () => {
  const versions = new Set<string>()
  await using products = await startService('products', {
    ...shop.products,
    make: (listener) =>
      createServer((request, response) => {
        versions.add(request.httpVersion)
        listener(request as never, response as never)
      }) as never,
  })
  const folder = temporaryFolder()
  const [supergraph, config] = [join(folder, 'supergraph.graphql'), join(folder, 'config.yaml')]
  writeFileSync(supergraph, supergraphOf([products]))
  writeFileSync(config, 'traffic:\n  all:\n    http2: true\n')
  await using tessera = startTessera(['serve', '--supergraph', supergraph, '--config', config, '--port', '0'])
  const answer = await postJson(await tessera.said('graph'), { query: '{ products { name } }' })
  expect(await answer.json()).toMatchObject({ data: { products: [{ name: 'Table' }, {}] } })
  expect([...versions]).toEqual(['2.0'])
})
