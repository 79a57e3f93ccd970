/** The sources of supergraphs: the list of addresses, responses of registries and stores, and the copy on disk. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCopy } from '../../../gateway/sources/copy.ts'
import { layerIn, textKinds } from '../../../gateway/sources/oci/manifest.ts'
import { parseOciReference } from '../../../gateway/sources/oci/reference.ts'
import { parsePlaces } from '../../../gateway/sources/place.ts'
import { createS3Source } from '../../../gateway/sources/s3.ts'
import { SourceFailure } from '../../../gateway/sources/source.ts'
import { Broken, same, targetsOf } from '../target.ts'

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`
const layer = { mediaType: 'application/apollo.schema', digest, size: 100 }
const most = 10_000

const isFailure = (error: unknown): boolean => error instanceof SourceFailure

/** The error about an address must not quote it, because it may contain a secret. */
const saysNothingOf =
  (expected: RegExp) =>
  (error: unknown): boolean =>
    error instanceof Error && expected.test(error.message)

/** A store that returns its input: the first line is the status, and the rest the body. */
class Store {
  #server: Server | undefined
  #answer: Uint8Array = Buffer.alloc(0)

  async ask(input: Buffer): Promise<string> {
    this.#answer = input
    const { port } = (await this.#listening()).address() as AddressInfo
    const source = createS3Source(
      { name: 's3://bucket/key', bucket: 'bucket', key: 'graphs/shop.graphql' },
      { credentials: undefined, region: 'eu-central-1', endpoint: `http://127.0.0.1:${port}` },
      { timeoutMs: 5000, maxBytes: most, signal: new AbortController().signal },
    )
    return source.read()
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections()
    this.#server?.close()
    this.#server = undefined
  }

  async #listening(): Promise<Server> {
    if (this.#server !== undefined) return this.#server
    const server = createServer((_, response) => {
      const end = this.#answer.indexOf(10)
      const status = Number(Buffer.from(this.#answer.subarray(0, Math.max(0, end))).toString('latin1'))
      const isStatus = Number.isInteger(status) && status >= 200 && status < 600
      response.writeHead(isStatus ? status : 200, { 'content-type': 'text/plain' })
      response.end(this.#answer.subarray(end + 1))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    this.#server = server
    return server
  }
}

const store = new Store()
const copyPath = join(mkdtempSync(join(tmpdir(), 'tessera-fuzz-')), 'copy')
const copyHead = {
  format: 1,
  what: 'supergraph',
  places: ['3c9a0c0b4c1e1b4c9d9b5a4a0d5f2e0b7f6a1c2d3e4f5061728394a5b6c7d8e9'],
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
}

export const targets = targetsOf(import.meta.url, [
  {
    name: 'places',
    covers: ['gateway/sources/place.ts', 'gateway/sources/oci/reference.ts'],
    seeds: [
      'supergraph.graphql',
      'https://a.example.com/graph?token=1, https://b.example.com/graph',
      `oci://registry.example.com/graphs/shop:production#sha256:${digest.slice(7)}`,
      's3://bucket/graphs/shop.graphql oci+http://127.0.0.1:5000/shop:1',
    ],
    allows: saysNothingOf(/^expected |^[^:]*expected /),
    run(input) {
      const text = input.toString('utf8')
      const places = parsePlaces(text)
      const names = places.map(({ name }) => name)
      if (new Set(names).size < names.length) throw new Broken('each place has a name of its own', names)
      same(parsePlaces(text), places, 'the same text gives the same places')
    },
  },
  {
    name: 'references of artifacts',
    covers: ['gateway/sources/oci/reference.ts'],
    seeds: [
      'oci://registry.example.com/graphs/shop:production',
      `oci://docker.io/shop@${digest}`,
      'oci+http://localhost:5000/a/b_c--d:v1.2',
    ],
    allows: saysNothingOf(/^expected an artifact/),
    run(input) {
      const found = parseOciReference(input.toString('utf8'))
      if (!/^https?:\/\/[^/@]+\/?$/.test(found.registry.href))
        throw new Broken('a registry is an origin', found.registry.href)
      if (found.isDigest !== found.reference.startsWith('sha256:'))
        throw new Broken('a digest is told from a tag', found.reference)
    },
  },
  {
    name: 'manifests of artifacts',
    covers: ['gateway/sources/oci/manifest.ts'],
    seeds: [
      JSON.stringify({ schemaVersion: 2, layers: [layer] }),
      JSON.stringify({
        layers: [
          {
            ...layer,
            mediaType: 'text/plain',
            annotations: { 'org.opencontainers.image.title': 'a.graphql' },
          },
        ],
      }),
      JSON.stringify({ manifests: [layer] }).replace('manifests', 'layers'),
    ],
    allows: isFailure,
    run(input) {
      for (const kind of Object.values(textKinds)) {
        let found: ReturnType<typeof layerIn>
        try {
          found = layerIn(input.toString('utf8'), kind, most)
        } catch (error) {
          if (isFailure(error)) continue
          throw error
        }
        if (found.size > most || !/^sha256:[0-9a-f]{64}$/.test(found.digest))
          throw new Broken('a layer has a bound and a digest', found)
      }
    },
  },
  {
    name: 'answers of stores',
    covers: ['gateway/sources/s3.ts', 'gateway/sources/http.ts'],
    seeds: [
      '200\nschema { query: Query }',
      '404\n<Error><Code>NoSuchKey</Code></Error>',
      '403\n<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
    ],
    longest: 2 * most,
    smoke: 20,
    allows: isFailure,
    async run(input) {
      const text = await store.ask(input)
      if (Buffer.byteLength(text) > 3 * most) throw new Broken('an answer has a bound', text.length)
    },
    close: () => store.close(),
  },
  {
    name: 'the copy of a supergraph',
    covers: ['gateway/sources/copy.ts'],
    seeds: [
      `tessera-copy ${JSON.stringify(copyHead)}\n`,
      `tessera-copy ${JSON.stringify(copyHead)}\nschema {}`,
    ],
    allows: isFailure,
    async run(input) {
      writeFileSync(copyPath, input, { mode: 0o600 })
      const text = await readCopy(copyPath, { what: 'supergraph', places: ['a.graphql'] })
      if (text !== undefined)
        throw new Broken('a copy that came from elsewhere is not taken', text.slice(0, 100))
    },
  },
])
