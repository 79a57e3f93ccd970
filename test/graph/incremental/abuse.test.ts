/** Operations with very many directives, and with values that they must not have. */
import { expect, test } from 'vitest'
import { keepForFile } from '../../support/keep.ts'
import { ask, merged, type Payload, startSetting } from './kit.ts'

const setting = keepForFile(
  await startSetting({
    TESSERA_MAX_DIRECTIVES: '2000',
    TESSERA_MAX_ALIASES: '2000',
    TESSERA_MAX_ROOT_FIELDS: '2000',
  }),
)

const form = 'multipart/mixed;incrementalSpec=v0.2'

async function payloads(query: string, variables: Record<string, unknown> = {}, accept = form) {
  await using answer = await ask(setting.url, query, accept, { variables })
  return { status: answer.status, all: await answer.rest() }
}

/** The whole of an incremental response, which has no error. */
async function mergedData(query: string): Promise<Payload> {
  const { all } = await payloads(query)
  expect(all.length).toBeGreaterThan(1)
  const { data, errors } = merged(all)
  expect(errors).toEqual([])
  return data
}

const fields = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `a${at}: ${at % 3 === 0 ? 'stars' : 'name'}`)
const apart = (count: number): string =>
  `{ item(id: "2") { ${fields(count)
    .map((field) => `... @defer { ${field} }`)
    .join(' ')} } }`
const withoutDirectives = (query: string): string => query.replace(/ @(defer|stream)(\([^)]*\))?/g, '')
const whole = async (query: string): Promise<Payload> =>
  (await payloads(query, {}, 'application/json')).all[0].data

test.each([
  ['a hundred fragments, each of a field', apart(100)],
  ['forty fragments within each other', `{ item(id: "2") { ${nested(40)} } }`],
  [
    'fragments that share their fields',
    `{ item(id: "2") { ${Array.from({ length: 60 }, (_, at) => `... @defer { ${fields(at % 5).join(' ')} name stars }`).join(' ')} } }`,
  ],
  ['one fragment for each item of a list', '{ items { id ... @defer { stars } ... @defer { name } } }'],
])('%s', async (_, query) => {
  expect(await mergedData(query)).toEqual(await whole(withoutDirectives(query)))
})

function nested(depth: number): string {
  return depth === 0 ? 'id' : `a${depth}: name ... @defer { ${nested(depth - 1)} }`
}

test.each([
  ['fragments', apart(201)],
  [
    'fragments that are spread at ever more places',
    `{ ${Array.from({ length: 60 }, (_, at) => `b${at}: item(id: "1") { ...A @defer ...B @defer }`).join(' ')} }
      fragment A on Item { name ... @defer { stars } } fragment B on Item { id ... @defer { plain { one } } }`,
  ],
  ['lists', `{ ${Array.from({ length: 201 }, (_, at) => `b${at}: items @stream { name }`).join(' ')} }`],
])(
  'more than 200 %s are refused before anything is asked for; whole the operation is answered',
  async (_, query) => {
    const before = setting.quick.asked.length
    const { status, all } = await payloads(query)
    expect(all).toMatchObject([{ errors: [{ extensions: { code: 'OPERATION_TOO_LARGE', maximum: 200 } }] }])
    expect(all[0].data).toBeUndefined()
    expect(status).toBeGreaterThanOrEqual(400)
    expect(setting.quick.asked.length).toBe(before)
    expect(await whole(query)).toEqual(await whole(withoutDirectives(query)))
  },
)

test.each([
  '{ item(id: "1") { ... @defer(label: "a") { name } ... @defer(label: "a") { id } } }',
  'query ($l: String) { item(id: "1") { ... @defer(label: $l) { name } } }',
  '{ item(id: "1") @stream { name } }',
  '{ items @stream(initialCount: -1) { name } }',
  '{ items @stream(initialCount: 2147483648) { name } }',
  '{ items @stream(initialCount: null) { name } }',
  '{ items @stream @stream { name } }',
  '{ items @defer { name } }',
])('not valid for any caller: %s', async (query) => {
  for (const accept of [form, 'application/graphql-response+json']) {
    const { status, all } = await payloads(query, { l: 'a' }, accept)
    expect(status).toBe(400)
    expect(all).toMatchObject([{ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] }])
  }
})

const counted = 'query ($count: Int!) { items @stream(initialCount: $count) { name stars } }'

test('a count below 0 is refused, and one beyond the list has all of it come first', async () => {
  for (const count of [-1, -2147483648]) {
    const { all } = await payloads(counted, { count })
    expect(all).toMatchObject([
      { errors: [{ message: `\`initialCount\` of @stream must be 0 or more, not ${count}.` }] },
    ])
    expect(all[0].errors[0].extensions.code).toBe('BAD_USER_INPUT')
  }
  const { all } = await payloads(counted, { count: 2147483647 })
  expect(all).toHaveLength(1)
  expect(all[0].data).toEqual(await whole('{ items { name stars } }'))
  for (const count of [2147483648, 1.5, '1', null]) {
    const refused = (await payloads(counted, { count })).all
    expect(refused).toMatchObject([{ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }])
  }
})
