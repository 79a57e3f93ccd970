/** Mutations with an idempotency key: executed once, answered as often as they are sent. Writes are counted at the services. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { startSandbox } from '../../sandbox/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { forEachService } from '../../subgraphs/index.ts'
import { type Graph, type GraphAnswer, startGraph } from '../support/graph.ts'
import { graphForFile } from '../support/graph-for-file.ts'
import { startRedis, withRedis } from '../support/redis.ts'
import { startServices } from '../support/services.ts'

const graph = await graphForFile()

const comment = `mutation Comment($text: String!) {
  insertCommentThread(input: { videoId: "${sampleVideos.own[0]}", textOriginal: $text }) {
    commentThread { threadId topLevelComment { textOriginal } }
  }
}`

const send = (
  graph: Graph,
  query: string,
  key: string | undefined,
  variables: Record<string, unknown> = {},
  more: { extensions?: unknown; scope?: string } = {},
): Promise<GraphAnswer> =>
  graph.ask(query, variables, {
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    ...(more.extensions === undefined ? {} : { extensions: more.extensions }),
    ...(more.scope === undefined ? {} : { scope: more.scope }),
  })

const writesOf = (graph: Graph, operation: string): number =>
  graph.sandbox.writes.filter((write) => write.operation === operation).length

const quick = { TESSERA_IDEMPOTENCY_SETTLE_MS: '0' }

describe('a repeat', () => {
  test('gets the first answer, and nothing is written again', async () => {
    await using graph = await startGraph()
    const first = await send(graph, comment, '"one"', { text: 'Once' })
    expect(first.errors).toEqual([])
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    const second = await send(graph, comment, '"one"', { text: 'Once' })
    // Without its quotes it is the same key.
    const third = await send(graph, comment, 'one', { text: 'Once' })
    expect([second.text, third.text]).toEqual([first.text, first.text])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(writesOf(graph, 'commentThreads.insert')).toBe(1)
    // Without a key the same is another comment.
    await send(graph, comment, undefined, { text: 'Once' })
    expect(writesOf(graph, 'commentThreads.insert')).toBe(2)
    expect(await graph.gateway.metrics.text()).toMatch(/^tessera_mutations_replayed_total 2$/m)
  })

  test('gets the first answer although the budget is used up by then', async () => {
    await using graph = await startGraph({ env: { ...quick, TESSERA_QUOTA_DAILY: '100' } })
    const once = comment.replace(
      '$text: String!) {',
      `$text: String!, $two: Boolean! = false) {
        two: insertCommentThread(input: { videoId: "${sampleVideos.own[0]}", textOriginal: $text })
          @include(if: $two) { commentThread { threadId } }`,
    )
    const first = await send(graph, once, 'paid', { text: 'Paid' })
    graph.sandbox.fail({ kind: 'lost-answer', operation: 'commentThreads.insert' })
    await send(graph, comment, 'lost', { text: 'Lost' })
    expect((await send(graph, once, 'paid', { text: 'Paid' })).text).toBe(first.text)
    const codes = await Promise.all(
      ['lost', 'new'].map(async (key) => (await send(graph, comment, key, { text: 'Lost' })).errors[0]),
    )
    expect(codes.map((error) => error?.extensions.code)).toEqual(['OUTCOME_UNKNOWN', 'QUOTA_EXCEEDED'])
    expect(writesOf(graph, 'commentThreads.insert')).toBe(2)
  })

  test('waits while the first one runs', async () => {
    graph.sandbox.fail({ kind: 'late', operation: 'commentThreads.insert', delayMs: 300 })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(graph, comment, 'together', { text: 'Together' })),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.errors).toEqual([])
    expect(writesOf(graph, 'commentThreads.insert')).toBe(1)
  })

  test('with another body is refused with 422, and so is one of another operation', async () => {
    await send(graph, comment, 'used', { text: 'A' })
    for (const answer of [
      await send(graph, comment, 'used', { text: 'B' }),
      await send(graph, comment.replace('threadId', 'threadId videoId'), 'used', { text: 'A' }),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.errors[0]?.extensions.code).toBe('IDEMPOTENCY_KEY_REUSED')
      expect(answer.data).toBeUndefined()
    }
    expect(writesOf(graph, 'commentThreads.insert')).toBe(1)
  })

  test('executes what changed nothing the first time', async () => {
    graph.sandbox.fail({ kind: 'status', status: 403, operation: 'commentThreads.insert' })
    const refused = await send(graph, comment, 'again', { text: 'Second time' })
    expect(refused.errors[0]?.extensions.code).toBe('FORBIDDEN')
    const done = await send(graph, comment, 'again', { text: 'Second time' })
    expect(done.errors).toEqual([])
    expect(writesOf(graph, 'commentThreads.insert')).toBe(1)
  })

  test('with a list of members instead of an object is another request', async () => {
    const detect = `mutation ($payload: JSON) {
      detectIntent(input: { project: "demo", session: "s", queryInput: { text: { text: "hello", languageCode: "en" } }, queryParams: { payload: $payload } }) { responseId }
    }`
    const first = await send(graph, detect, 'members', { payload: { x: { a: 1 } } })
    expect(first.errors).toEqual([])
    const other = await send(graph, detect, 'members', { payload: { x: [['a', 1]] } })
    expect(other.errors[0]?.extensions.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('of another caller is another request', async () => {
    const scopes = 'media.write media.read'
    const token = async (subject: string): Promise<Record<string, string>> => ({
      authorization: `Bearer ${await graph.token(scopes, subject)}`,
      'idempotency-key': 'mine',
    })
    const ask = async (subject: string): Promise<GraphAnswer> =>
      graph.ask(comment, { text: 'Mine' }, { scope: null, headers: await token(subject) })
    const [ada, bob] = [await ask('ada'), await ask('bob')]
    expect([ada.errors, bob.errors]).toEqual([[], []])
    expect(ada.text).not.toBe(bob.text)
    expect(writesOf(graph, 'commentThreads.insert')).toBe(2)
  })
})

describe('a write with a lost answer', () => {
  test('is found by a repeat, and not made again', async () => {
    await using graph = await startGraph({ env: quick })
    graph.sandbox.fail({ kind: 'lost-answer', operation: 'commentThreads.insert' })
    const lost = await send(graph, comment, 'lost', { text: 'Lost and found' })
    expect(lost.errors[0]?.extensions.outcome).toBe('unknown')
    const found = await send(graph, comment, 'lost', { text: 'Lost and found' })
    expect(found.errors).toEqual([])
    expect(found.data.insertCommentThread.commentThread.topLevelComment.textOriginal).toBe('Lost and found')
    expect((await send(graph, comment, 'lost', { text: 'Lost and found' })).text).toBe(found.text)
    expect(writesOf(graph, 'commentThreads.insert')).toBe(1)
  })

  test('is made by a repeat if it never arrived, but not before it has settled', async () => {
    await using graph = await startGraph({
      env: { TESSERA_UPSTREAM_TIMEOUT_MS: '1500', TESSERA_IDEMPOTENCY_SETTLE_MS: '600000' },
    })
    graph.sandbox.fail({ kind: 'hang', operation: 'commentThreads.insert' })
    expect((await send(graph, comment, 'hung', { text: 'Hung' })).errors[0]?.extensions.outcome).toBe(
      'unknown',
    )
    const early = await send(graph, comment, 'hung', { text: 'Hung' })
    expect(early.errors[0]?.extensions).toMatchObject({ code: 'OUTCOME_UNKNOWN', outcome: 'unknown' })
    expect(early.errors[0]?.extensions.retryAfter).toBeGreaterThan(0)
    expect(writesOf(graph, 'commentThreads.insert')).toBe(0)
    const now = performance.now.bind(performance)
    using _ = vi.spyOn(performance, 'now').mockImplementation(() => now() + 600_000)
    expect((await send(graph, comment, 'hung', { text: 'Hung' })).errors).toEqual([])
    expect(writesOf(graph, 'commentThreads.insert')).toBe(1)
  })

  test('is not considered settled when the clock is set', async () => {
    await using graph = await startGraph({
      env: { TESSERA_UPSTREAM_TIMEOUT_MS: '3000', TESSERA_IDEMPOTENCY_SETTLE_MS: '600000' },
    })
    graph.sandbox.fail({ kind: 'hang', operation: 'commentThreads.insert' })
    await send(graph, comment, 'clock', { text: 'Clock' })
    const right = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => right + 3_600_000)
    try {
      // The token that is made for it is good later, too.
      const { errors } = await send(graph, comment, 'clock', { text: 'Clock' })
      expect(errors[0]?.extensions.code).toBe('OUTCOME_UNKNOWN')
    } finally {
      clock.mockRestore()
    }
    expect(writesOf(graph, 'commentThreads.insert')).toBe(0)
  })

  test('is found although its answer was too long for the response', async () => {
    await using graph = await startGraph({ env: { ...quick, TESSERA_MAX_RESPONSE_BYTES: '1000' } })
    const fields = Array.from({ length: 40 }, (_, n) => `t${n}: threadId`).join(' ')
    const long = comment.replace('threadId', fields)
    for (let turn = 0; turn < 2; turn++) {
      const { errors } = await send(graph, long, 'long', { text: 'Long' })
      expect(errors[0]?.extensions.code).toBe('RESPONSE_TOO_LARGE')
    }
    expect(graph.sandbox.calls('commentThreads.insert')).toHaveLength(1)
  })

  test('stays unknown while finding out fails', async () => {
    await using graph = await startGraph({ env: quick })
    graph.sandbox.fail({ kind: 'lost-answer', operation: 'commentThreads.insert' })
    await send(graph, comment, 'twice lost', { text: 'Twice' })
    graph.sandbox.fail({ kind: 'status', status: 400, operation: 'commentThreads.list' })
    const still = await send(graph, comment, 'twice lost', { text: 'Twice' })
    expect(still.errors[0]?.extensions.outcome).toBe('unknown')
    expect((await send(graph, comment, 'twice lost', { text: 'Twice' })).errors).toEqual([])
    expect(writesOf(graph, 'commentThreads.insert')).toBe(1)
  })
})

describe('several fields', () => {
  const two = `mutation Two {
    a: insertCommentThread(input: { videoId: "${sampleVideos.own[0]}", textOriginal: "A" }) { commentThread { threadId } }
    ...More
  }
  fragment More on Mutation {
    b: createIntent(input: { project: "demo", displayName: "b" }) { intent { name } }
  }`

  test('keep their outcomes separately: only unknown ones are found out', async () => {
    await using graph = await startGraph({ env: quick })
    graph.sandbox.fail({ kind: 'lost-answer', operation: 'agents.intents.create' })
    const first = await send(graph, two, 'both')
    expect(first.data.a.commentThread.threadId).toBeDefined()
    expect(first.errors.map(({ path }) => path)).toEqual([['b']])
    const second = await send(graph, two, 'both')
    expect(second.errors).toEqual([])
    expect(Object.keys(second.data)).toEqual(['a', 'b'])
    expect(second.data.a).toEqual(first.data.a)
    expect(graph.sandbox.calls('commentThreads.insert')).toHaveLength(1)
    expect(graph.sandbox.calls('agents.intents.create')).toHaveLength(1)
  })

  test('can have their own keys in the extensions', async () => {
    const extensions = { idempotencyKey: { a: 'ka' } }
    const first = await send(graph, two, undefined, {}, { extensions })
    expect(first.errors).toEqual([])
    const second = await send(graph, two, undefined, {}, { extensions })
    expect(second.data.a).toEqual(first.data.a)
    // Intents have unique names: without a key it is tried again.
    expect(second.errors.map(({ path }) => path)).toEqual([['b']])
    expect(graph.sandbox.calls('commentThreads.insert')).toHaveLength(1)
    const unknown = await send(graph, two, undefined, {}, { extensions: { idempotencyKey: { c: 'k' } } })
    expect([unknown.status, unknown.errors[0]?.extensions.code]).toEqual([400, 'BAD_REQUEST'])
  })
})

test('one of our own subgraphs that is a separate service finds out as well', async () => {
  await using sandbox = await startSandbox()
  await using services = await startServices(sandbox.url)
  const env = { ...quick, ...services.env }
  await using graph = await startGraph({ env, urls: forEachService(() => sandbox.url) })
  sandbox.fail({ kind: 'lost-answer', operation: 'commentThreads.insert' })
  const lost = await send(graph, comment, 'far', { text: 'Far' })
  expect(lost.errors[0]?.extensions.outcome).toBe('unknown')
  expect((await send(graph, comment, 'far', { text: 'Far' })).errors).toEqual([])
  expect(sandbox.calls('commentThreads.insert')).toHaveLength(1)
})

test('a malformed key is refused, and says what was expected', async () => {
  for (const key of ['""', 'x'.repeat(256), '"a\\x"', 'tab\there']) {
    const { status, errors } = await send(graph, comment, key, { text: 'No' })
    expect([status, errors[0]?.extensions.code], key).toEqual([400, 'BAD_REQUEST'])
    expect(errors[0]?.message).toContain('1 to 255 characters')
  }
  for (const idempotencyKey of [7, [], {}, { a: '' }, { a: 1 }])
    expect(
      (await send(graph, comment, undefined, { text: 'No' }, { extensions: { idempotencyKey } })).status,
    ).toBe(400)
  expect(graph.sandbox.writes).toEqual([])
})

test('whatever is lost and repeated in any order, each text is written once at most, and once if it was acknowledged', async () => {
  await using graph = await startGraph({ env: quick })
  let run = 0
  const step = fc.record({
    text: fc.integer({ min: 0, max: 3 }),
    fault: fc.constantFrom(undefined, undefined, 'lost-answer' as const, 'reset' as const, 'status' as const),
    repeats: fc.integer({ min: 1, max: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      run += 1
      graph.sandbox.writes.length = 0
      const acknowledged = new Set<string>()
      for (const { text, fault, repeats } of steps) {
        const own = `run ${run} text ${text}`
        if (fault !== undefined)
          graph.sandbox.fail({
            kind: fault,
            operation: 'commentThreads.insert',
            ...(fault === 'status' ? { status: 400 } : {}),
          })
        const answers = await Promise.all(
          Array.from({ length: repeats }, () => send(graph, comment, own, { text: own })),
        )
        if (answers.some(({ errors }) => errors.length === 0)) acknowledged.add(own)
      }
      const threads = await graph.ask(
        `{ video(videoId: "${sampleVideos.own[0]}") { commentThreads(first: 100) { nodes { topLevelComment { textOriginal } } } } }`,
      )
      const texts: string[] = threads.data.video.commentThreads.nodes.map(
        (node: { topLevelComment: { textOriginal: string } }) => node.topLevelComment.textOriginal,
      )
      for (let text = 0; text < 4; text++) {
        const own = `run ${run} text ${text}`
        const count = texts.filter((each) => each === own).length
        expect(count).toBeLessThanOrEqual(1)
        if (acknowledged.has(own)) expect(count).toBe(1)
      }
    }),
    { numRuns: 25 },
  )
})

describe.runIf(withRedis('idempotency over several gateways'))('over several gateways', () => {
  test('a repeat at another one gets the same answer; while Redis is away keys are refused', async () => {
    await using redis = await startRedis()
    const env = { ...quick, TESSERA_REDIS_URL: redis.url }
    await using one = await startGraph({ env })
    await using other = await startGraph({ env, urls: forEachService(() => one.sandbox.url) })
    const [first, second] = await Promise.all(
      [one, other].map((graph) => send(graph, comment, 'shared', { text: 'Shared' })),
    )
    expect(first?.errors).toEqual([])
    expect(second?.text).toBe(first?.text)
    expect(writesOf(one, 'commentThreads.insert')).toBe(1)
    await redis.stop()
    const away = await send(one, comment, 'away', { text: 'Away' })
    expect([away.status, away.errors[0]?.extensions.code]).toEqual([503, 'IDEMPOTENCY_UNAVAILABLE'])
    expect(writesOf(one, 'commentThreads.insert')).toBe(1)
    // Without a key its outcome need not be known.
    expect((await send(one, comment, undefined, { text: 'No key' })).errors).toEqual([])
  })
})
