/** Objects of S3: the signature by the examples that AWS publishes, and by a store that checks it. */
import { describe, expect, test } from 'vitest'
import { encodePart, signedHeaders } from '../../../gateway/sources/s3.ts'
import { startS3, withS3 } from '../../support/s3.ts'
import { noSourceSettings, testSources, textOrReason } from '../../support/sources.ts'

const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const now = new Date('2013-05-24T00:00:00Z')
const bucket = 'https://examplebucket.s3.amazonaws.com'

// "Examples: Signature Calculations" of the API reference of Amazon S3.
test.each([
  [
    'a part of a bucket without a value',
    '/?lifecycle',
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  ['a query', '/?max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
])('the signature of %s is that of the reference', (_what, path, signature) => {
  const headers = signedHeaders({ url: new URL(bucket + path), region: 'us-east-1', credentials, now })
  expect(headers.at(-1)).toMatch(new RegExp(`Signature=${signature}$`))
})

test('a path is encoded as S3 does', () => {
  expect(encodePart("a b+c*d'(e)!~-_.é/")).toBe('a%20b%2Bc%2Ad%27%28e%29%21~-_.%C3%A9%2F')
})

describe.runIf(withS3('objects of S3'))('a store that checks signatures', () => {
  test('gives an object to whom it knows, by its ETag, and to nobody else', async () => {
    await using store = await startS3('graphs')
    const key = "shop/a b+c*d'(e)~é.graphql"
    const path = encodeURIComponent(key).replaceAll('%2F', '/')
    await store.put(path, 'first')
    const s3 = { ...noSourceSettings.s3, endpoint: store.url, credentials: store.reader }
    // A path of one place may have spaces only percent-encoded, as spaces are between places.
    const place = `s3://graphs/${key.replace(' ', '%20')}`
    const { chain, notes } = testSources(place, { s3 })
    expect(await textOrReason(chain)).toBe('first')
    expect(await chain.poll()).toBe(false)
    await store.put(path, 'second')
    expect(await chain.poll()).toBe(true)
    expect(await textOrReason(chain)).toBe('second')

    const wrong = { ...s3, credentials: { ...store.reader, secretAccessKey: 'hunter2' } }
    const refused = await textOrReason(testSources(place, { s3: wrong }).chain)
    expect(refused).toContain('it answered 403')
    expect(refused + JSON.stringify(notes)).not.toMatch(new RegExp(`hunter2|${store.reader.accessKeyId}`))
    expect(await textOrReason(testSources(place, { s3: { ...s3, credentials: undefined } }).chain)).toMatch(
      /it answered 40[13]/,
    )
  })
})
