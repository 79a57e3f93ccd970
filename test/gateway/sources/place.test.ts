import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePlaces } from '../../../gateway/sources/index.ts'

const digest = 'a'.repeat(64)

test.each<[string, readonly object[]]>([
  [
    'supergraph with spaces, and commas.graphql',
    [{ kind: 'file', name: 'supergraph with spaces, and commas.graphql' }],
  ],
  ['https://a.example/x?y=1,2', [{ kind: 'http', name: 'https://a.example' }]],
  [
    'https://a.example/x,https://a.example/y  /etc/graph.graphql',
    [
      { name: 'https://a.example' },
      { name: 'https://a.example (2)' },
      { kind: 'file', path: '/etc/graph.graphql' },
    ],
  ],
  ['oci://docker.io/shop', [{ kind: 'oci', reference: { repository: 'library/shop', reference: 'latest' } }]],
  [`oci://r.example:5000/a/b:v1@sha256:${digest}`, [{ name: `oci://r.example:5000/a/b@sha256:${digest}` }]],
  [`s3://bucket/a%20b.graphql#sha256=${digest}`, [{ kind: 's3', key: 'a b.graphql', pinned: digest }]],
])('%s', (text, places) => {
  expect(parsePlaces(text)).toMatchObject(places)
})

test.each([
  'https://user:hunter2@a.example/',
  'https://a.example/#hunter2',
  'ftp://a.example/hunter2',
  'oci://user:hunter2@r.example/a',
  'oci://r.example/A:hunter2',
  's3://b/hunter2',
  's3://bucket/a/../hunter2',
  's3://bucket/%2e%2e/hunter2',
  's3://bucket/%ff/hunter2',
  's3://bucket/a?hunter2',
  'https://',
  Array.from({ length: 11 }, () => 'https://hunter2.example').join(' '),
])('%s is refused, and not repeated', (text) => {
  expect(() => parsePlaces(text)).toThrow(/^(?!.*hunter2)expected/)
})

test('a registry is called without TLS only on this machine, unless the address says so', () => {
  const schemes = [
    'oci://localhost:1/a',
    'oci://127.0.0.1:1/a',
    'oci://r.example/a',
    'oci+http://r.example/a',
  ]
  expect(schemes.map((text) => parsePlaces(text)[0])).toMatchObject(
    ['http:', 'http:', 'https:', 'http:'].map((protocol) => ({ reference: { registry: { protocol } } })),
  )
})

test('whatever an address has behind its host, its name has nothing of it', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9%._~-]{12,40}$/)
  fc.assert(
    fc.property(word, word, (path, query) => {
      const [place] = parsePlaces(`https://a.example/${path}?${query}`)
      expect(place?.name).toBe('https://a.example')
    }),
  )
})
