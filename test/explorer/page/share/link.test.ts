/** Links to an operation: the operation is read back unchanged, and an invalid link opens nothing. */
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fragmentOf, sharedFrom } from '../../../../explorer/page/share/link.ts'

const packed = (value: unknown): string =>
  `#operation=${deflateRawSync(JSON.stringify(value)).toString('base64url')}`

test('whatever is shared comes back as it was, in an address', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (query, variables) => {
      const shared = { query, variables, tab: 'table' }
      const fragment = await fragmentOf(shared)
      expect(fragment).toMatch(/^#operation=[\w-]+$/)
      expect(await sharedFrom(fragment!)).toEqual(JSON.parse(JSON.stringify(shared)))
    }),
    { numRuns: 5 },
  )
})

test('a foreign link, or one that is too long when unpacked, opens nothing', async () => {
  for (const fragment of [
    '',
    '#other',
    '#operation=',
    '#operation=!!!',
    packed({ query: 1 }),
    packed('text'),
    packed({ query: 'x'.repeat(1_000_001) }),
    `#operation=${'A'.repeat(200_001)}`,
  ])
    expect([fragment.slice(0, 40), await sharedFrom(fragment)]).toEqual([fragment.slice(0, 40), undefined])
  expect(await sharedFrom(packed({ query: '{ a }', variables: 5, tab: {} }))).toEqual({
    query: '{ a }',
    variables: '',
    tab: '',
  })
  expect(await fragmentOf({ query: 'x'.repeat(1_000_001), variables: '', tab: '' })).toBeUndefined()
})
