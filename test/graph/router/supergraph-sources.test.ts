/** A gateway whose supergraph and trusted operations come from several addresses, and from the copies of both on disk. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { startFaultyServer } from '../../support/faulty-server.ts'
import { type Router, shop, startRouter, startService, supergraphOf, until } from '../../support/router.ts'
import { temporaryFolder } from '../../support/temporary.ts'

interface Cdn extends AsyncDisposable {
  readonly url: string
  text: string | undefined
}

async function startCdn(text: string | undefined): Promise<Cdn> {
  const server = await startFaultyServer((response, { headers }) => {
    const etag = `"${hashOf(cdn.text ?? '')}"`
    if (cdn.text === undefined) response.writeHead(503).end()
    else if (headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
    else response.writeHead(200, { etag }).end(cdn.text)
  })
  const cdn: Cdn = { ...server, url: `${server.url}/artifacts?signature=hunter2`, text }
  return cdn
}

const names = '{ products { name } }'
const ids = '{ products { id } }'
const manifestOf = (...documents: readonly string[]): string =>
  JSON.stringify({ operations: documents.map((body) => ({ id: hashOf(body), body })) })

test('an outage of all sources is survived, even by a gateway that starts in it', async () => {
  await using products = await startService('products', shop.products)
  await using first = await startCdn(undefined)
  await using mirror = await startCdn(supergraphOf([products]))
  await using manifest = await startCdn(manifestOf(names))
  const folder = temporaryFolder()
  const options = {
    supergraph: '',
    args: [],
    env: {
      TESSERA_SUPERGRAPH: `${first.url} ${mirror.url}`,
      TESSERA_SUPERGRAPH_COPY: join(folder, 'supergraph'),
      TESSERA_PERSISTED: 'trusted',
      TESSERA_PERSISTED_MANIFEST: manifest.url,
      TESSERA_PERSISTED_MANIFEST_COPY: join(folder, 'manifest'),
      TESSERA_SUPERGRAPH_POLL_MS: '20',
    },
  }
  const sourcesOf = async (router: Router) => (await router.ready()).generation.sources

  {
    await using router = await startRouter(options)
    expect((await router.ask(names)).body.data.products).toHaveLength(2)
    const [a, b] = [new URL(first.url).origin, new URL(mirror.url).origin]
    expect(await sourcesOf(router)).toMatchObject({
      supergraph: {
        from: b,
        sources: expect.arrayContaining([
          {
            source: a,
            result: 'failed',
            since: expect.any(String),
            reason: 'it answered 503: expected 200 or 304',
          },
        ]),
      },
    })
    expect(await router.metrics()).toMatch(
      new RegExp(`tessera_sources_total\\{what="supergraph",source="${a}",result="failed"\\} [1-9]`),
    )

    // What cannot be loaded is refused, and the mirror stays.
    first.text = 'type Query { a: Int }'
    await until(
      async () => JSON.stringify(await sourcesOf(router)).includes('not a supergraph'),
      'the refusal of the first source',
    )
    expect((await router.ask(names)).body.data.products).toHaveLength(2)
    expect((await router.ask(ids)).body.errors[0].extensions.code).toBe('PERSISTED_QUERY_ONLY')

    manifest.text = manifestOf(names, ids)
    await until(async () => (await router.ask(ids)).body.data !== undefined, 'the new trusted operation')
    const written = (name: string, part: string): boolean =>
      existsSync(join(folder, name)) && readFileSync(join(folder, name), 'utf8').includes(part)
    await until(() => written('supergraph', 'join__Graph') && written('manifest', hashOf(ids)), 'the copies')
    await until(() => router.command.output().includes('the copy on disk was written'), 'the line of the log')
    expect(router.command.output()).not.toMatch(/hunter2|artifacts/)
  }

  first.text = undefined
  mirror.text = undefined
  manifest.text = undefined
  await using router = await startRouter(options)
  expect((await router.ask(ids)).body.data.products).toHaveLength(2)
  expect(await sourcesOf(router)).toMatchObject({ supergraph: { from: 'copy' }, manifest: { from: 'copy' } })
  // Lines of the log leave twice a second.
  await until(() => router.command.output().includes('the copy on disk is used until one can'), 'the log')
  mirror.text = supergraphOf([products])
  await until(async () => (await sourcesOf(router)).supergraph?.from !== 'copy', 'the end of the outage')
  expect(router.command.output()).not.toMatch(/hunter2|artifacts/)
})
