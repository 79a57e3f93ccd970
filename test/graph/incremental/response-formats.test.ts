/** Incremental responses over HTTP, in each format and over both transports. */
import { expect, test } from 'vitest'
import { keepForFile } from '../../support/keep.ts'
import { until } from '../../support/router.ts'
import { ask, startSetting } from './kit.ts'

const setting = keepForFile(await startSetting())

const json = 'application/graphql-response+json, application/json;q=0.9'
const deferred = '{ item(id: "2") { name ... @defer(label: "stars") { stars } } }'

/** Asks while the slow subgraph is held: the first part comes all the same. */
async function askIncremental(query: string, accept: string) {
  setting.hold()
  try {
    await using answer = await ask(setting.url, query, accept)
    const first = await answer.next()
    setting.release()
    return {
      first,
      rest: await answer.rest(),
      type: answer.headers.get('content-type'),
      status: answer.status,
    }
  } finally {
    setting.release()
  }
}

test.each([
  ['multipart/mixed;incrementalSpec=v0.2', 'multipart/mixed;boundary="graphql";incrementalSpec=v0.2'],
  ['text/event-stream', 'text/event-stream; charset=utf-8'],
  ['text/event-stream;incrementalSpec=v0.2', 'text/event-stream; charset=utf-8'],
])('the current form: %s', async (accept, type) => {
  const got = await askIncremental(deferred, `${accept}, ${json}`)
  expect(got).toEqual({
    status: 200,
    type,
    first: {
      data: { item: { name: 'Item 2' } },
      pending: [{ id: '0', path: ['item'], label: 'stars' }],
      hasNext: true,
    },
    rest: [{ incremental: [{ id: '0', data: { stars: 20 } }], completed: [{ id: '0' }], hasNext: false }],
  })
})

test.each(['multipart/mixed;deferSpec=20220824', 'text/event-stream;deferSpec=20220824'])(
  'the form of 2022: %s',
  async (accept) => {
    const got = await askIncremental(deferred, `${accept}, ${json}`)
    expect(got.first).toEqual({ data: { item: { name: 'Item 2' } }, hasNext: true })
    expect(got.rest).toEqual([
      { incremental: [{ data: { stars: 20 }, path: ['item'], label: 'stars' }], hasNext: false },
    ])
  },
)

test('the flat form, with the values of objects on the way', async () => {
  const got = await askIncremental(
    '{ item(id: "2") { id __typename name } ... @defer(label: "a") { item(id: "2") { stars } slowly } }',
    `multipart/mixed, ${json}`,
  )
  expect(got.first).toEqual({
    data: { item: { id: '2', __typename: 'Item', name: 'Item 2' } },
    extensions: { is_final: false },
  })
  expect(got.rest).toEqual([
    {
      data: { item: { id: '2', __typename: 'Item', name: 'Item 2', stars: 20 }, slowly: 'there' },
      path: [],
      label: 'a',
      extensions: { is_final: true },
    },
  ])
})

test('the flat form has a fragment before the items of a list in it, and an item before a fragment in it', async () => {
  const got = await askIncremental(
    '{ ... @defer(label: "a") { items @stream(initialCount: 1, label: "b") { id ... @defer(label: "c") { name } } } }',
    `multipart/mixed, ${json}`,
  )
  const places = got.rest.map(({ path, label }) => `${label} ${path.join('.')}`)
  expect(places.slice(0, 2)).toEqual(['a ', 'b items.1'])
  for (const at of [1, 2, 3, 4])
    expect(places.indexOf(`c items.${at}`)).toBeGreaterThan(places.indexOf(`b items.${at}`))
})

test('a client that accepts no incremental response gets the whole one, equal to that without the directives', async () => {
  for (const accept of [
    json,
    '*/*',
    'multipart/mixed;incrementalSpec=v9',
    'multipart/mixed;deferSpec=1;q=0',
  ]) {
    await using answer = await ask(setting.url, deferred, `${accept}, application/json`)
    await using plain = await ask(setting.url, '{ item(id: "2") { name stars } }', 'application/json')
    expect(await answer.rest()).toEqual(await plain.rest())
  }
})

test('items of a list come after the first ones, and further requests for them do not delay these', async () => {
  setting.hold()
  await using answer = await ask(
    setting.url,
    '{ items @stream(initialCount: 2, label: "rest") { name } }',
    `multipart/mixed;incrementalSpec=v0.2, ${json}`,
  )
  expect(await answer.next()).toEqual({
    data: { items: [{ name: 'Item 1' }, { name: 'Item 2' }] },
    pending: [{ id: '0', path: ['items'], label: 'rest' }],
    hasNext: true,
  })
  expect(await answer.next()).toEqual({
    incremental: [{ id: '0', items: [{ name: 'Item 3' }, { name: 'Item 4' }, { name: 'Item 5' }] }],
    completed: [{ id: '0' }],
    hasNext: false,
  })
  setting.release()
  setting.slow.asked.length = 0
  await using more = await ask(
    setting.url,
    '{ items @stream(initialCount: 2) { stars } }',
    `text/event-stream, ${json}`,
  )
  const [first, ...rest] = await more.rest()
  expect(first.data).toEqual({ items: [{ stars: 10 }, { stars: 20 }] })
  expect(rest.flatMap((each) => each.incremental)).toEqual([
    { id: '0', items: [{ stars: 30 }, { stars: 40 }, { stars: 50 }] },
  ])
  // Each item is looked up once: the first ones and the others by themselves.
  const sent = setting.slow.asked.map(
    ({ body }) => JSON.parse(body.toString()).variables.representations.length,
  )
  expect(sent.sort()).toEqual([2, 3])
})

test('a null for a non-null field removes its fragment, and errors are in their payload', async () => {
  await using answer = await ask(
    setting.url,
    '{ item(id: "3") { name ... @defer(label: "a") { must } ... @defer(label: "b") { stars } } }',
    `multipart/mixed;incrementalSpec=v0.2, ${json}`,
  )
  const [first, ...rest] = await answer.rest()
  expect(first.data).toEqual({ item: { name: 'Item 3' } })
  const completed = rest.flatMap((each) => each.completed ?? [])
  const lost = completed.filter((each: { errors?: unknown }) => each.errors !== undefined)
  expect(lost).toHaveLength(1)
  expect(lost[0].id).toBe(first.pending.find(({ label }: { label: string }) => label === 'a').id)
  expect(lost[0].errors[0].path[0]).toBe('item')
})

test.each([
  '{ slowly ... @defer { parts @stream(initialCount: 0) { broken } } }',
  '{ slowly ... @defer { parts { ... @defer { broken } } } }',
])('an error that is known before the first part comes once, with its field: %s', async (query) => {
  setting.hold()
  const isAnswered = Promise.withResolvers<void>()
  setting.quick.intercept = (_, response) => {
    response.on('finish', isAnswered.resolve)
    return false
  }
  const asking = ask(setting.url, query, `multipart/mixed;incrementalSpec=v0.2, ${json}`)
  await isAnswered.promise
  // The gateway reads the next response of the same subgraph after that one.
  await using later = await ask(setting.url, '{ tags }', json)
  expect(await later.rest()).toEqual([{ data: { tags: ['a', 'b', 'c'] } }])
  setting.release()
  await using answer = await asking
  const [first, ...rest] = await answer.rest()
  expect(first.data).toEqual({ slowly: 'there' })
  expect(first.errors).toBeUndefined()
  const results = rest.flatMap((each) => each.incremental ?? [])
  expect(results.flatMap((result) => result.errors ?? [])).toMatchObject([{ path: ['parts', 0, 'broken'] }])
})

test('a field that the caller may not see is refused in its payload', async () => {
  await using answer = await ask(
    setting.url,
    '{ item(id: "1") { name ... @defer(label: "a") { secret stars } } }',
    `multipart/mixed;incrementalSpec=v0.2, ${json}`,
  )
  const [first, ...rest] = await answer.rest()
  expect(first.errors).toBeUndefined()
  const [result] = rest.flatMap((each) => each.incremental ?? [])
  expect(result.data).toEqual({ secret: null, stars: 10 })
  expect(result.errors).toHaveLength(1)
  expect(result.errors[0]).toMatchObject({ path: ['item', 'secret'] })
})

test('after the first answer of a mutation', async () => {
  const got = await askIncremental(
    'mutation { rename(id: "4", name: "x") { name ... @defer { stars } } }',
    `multipart/mixed;deferSpec=20220824, ${json}`,
  )
  expect(got.first.data).toEqual({ rename: { name: 'x' } })
  expect(got.rest).toEqual([{ incremental: [{ data: { stars: 40 }, path: ['rename'] }], hasNext: false }])
})

test('a client that goes away ends what is under way for it', async () => {
  setting.hold()
  const [asked, before] = [setting.slow.asked.length, setting.left()]
  {
    await using answer = await ask(setting.url, deferred, `multipart/mixed;deferSpec=20220824, ${json}`)
    await answer.next()
    await until(() => setting.slow.asked.length > asked, 'the slow subgraph is asked')
  }
  await until(() => setting.left() > before, 'the call to the slow subgraph ends')
  setting.release()
})

test('a client that accepts only events is answered in events, incrementally or not', async () => {
  await using answer = await ask(setting.url, '{ tags }', 'text/event-stream')
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  expect(await answer.rest()).toEqual([{ data: { tags: ['a', 'b', 'c'] } }])
})

test('a field that is called subscription makes no subscription of a query', async () => {
  const query = '{ subscription: item(id: "2") { name ... @defer { stars } } }'
  const { first, rest } = await askIncremental(query, 'text/event-stream')
  expect(first).toMatchObject({ data: { subscription: { name: 'Item 2' } }, hasNext: true })
  expect(rest).toMatchObject([{ incremental: [{ data: { stars: 20 } }], hasNext: false }])
})
