/**
 * When an execution is compared with the one that is remembered, what is remembered and what is sent, step by step: the
 * test answers the fetches of a plan, and runs it as the engine does where the attempt gives up.
 */
import { type DocumentNode, parse } from 'graphql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asByteString } from '../../../../../contract/hot/byte-string.ts'
import { readPlain, runPlainly } from '../../../../../contract/hot/switch.ts'
import type { JsonText } from '../../../../../contract/json/raw.ts'
import { compileRepeats, type PreparedFetch } from '../../../../../gateway/engine/execute/index.ts'
import type { JsonObject } from '../../../../../gateway/engine/execution.ts'
import type { FetchOperation, Plan, PlanNode } from '../../../../../gateway/engine/plan/index.ts'
import { type SubgraphResult, UnparsedResult } from '../../../../../gateway/engine/transport/index.ts'
import { testGatewayRequest } from '../../../../support/federation.ts'
import { textOf } from '../../../../support/sent-json.ts'

beforeEach(() => runPlainly([]))
afterEach(() => runPlainly(readPlain(process.env.TESSERA_PLAIN)))

/** A response of so many bytes of memory as the text has. */
function responseOf(text: string): UnparsedResult {
  const body = Buffer.alloc(Buffer.byteLength(text))
  body.write(text)
  return new UnparsedResult(body, () => ({ data: {} }))
}

/** A fetch that records what it sends, and gets the response that the test has set. */
class Fetch {
  readonly sent: JsonObject[] = []
  /** What later fetches make of what earlier ones brought. */
  own: JsonObject | undefined
  respond: () => SubgraphResult | Promise<SubgraphResult> = () => responseOf('{"data":{}}')
  readonly operation: FetchOperation
  readonly node: PlanNode
  readonly prepared: PreparedFetch

  constructor(name: string, kind: FetchOperation['kind'] = 'query') {
    const text = `{ ${name} }`
    this.operation = { service: name, kind, text, name: undefined, variableNames: ['n'] }
    this.node = { kind: 'fetch', operation: this.operation } as PlanNode
    this.prepared = {
      service: name,
      document: parse(text),
      possibleTypes: new Map(),
      pick: ({ n }) => ({ n }),
      send: (variables) => {
        this.sent.push(variables)
        return this.respond()
      },
    }
  }
}

const sequenceOf = (...fetches: readonly Fetch[]): PlanNode => ({
  kind: 'sequence',
  nodes: fetches.map(({ node }) => node),
})

interface Given {
  readonly plan?: Plan
  readonly document?: DocumentNode
  readonly data?: JsonText
}

function setUp(fetches: readonly Fetch[], given: Given = {}) {
  const { plan = sequenceOf(...fetches), document = parse('{ a }'), data = asByteString('{"a":1}') } = given
  const noted: number[] = []
  const repeats = compileRepeats({
    plan,
    fetches: new Map(fetches.map(({ operation, prepared }) => [operation, prepared])),
    document,
    noteKept: (bytes) => noted.push(bytes),
  })
  /** Runs the plan where the execution is not the remembered one. */
  const run = async (
    variables: JsonObject = {},
    request = testGatewayRequest(),
  ): Promise<'repeated' | 'compared' | 'not compared'> => {
    const attempt = repeats?.attempt(variables, request)
    if (attempt === undefined) return 'not compared'
    if ((await attempt.repeat()) !== undefined) return 'repeated'
    const sender = attempt.sender()
    for (const { prepared, own } of fetches)
      await sender.send(prepared.send, { ...prepared.pick(variables), ...own }, own, request)
    sender.written(data)
    return 'compared'
  }
  const runs = async (times: number, variables?: JsonObject): Promise<string[]> => {
    const results: string[] = []
    for (let turn = 0; turn < times; turn++) results.push(await run(variables))
    return results
  }
  return { repeats, noted, run, runs }
}

describe('an execution', () => {
  test('is remembered from the second on, and repeated from the third on', async () => {
    const fetch = new Fetch('a')
    const { repeats, runs } = setUp([fetch])
    expect(await runs(4)).toEqual(['not compared', 'compared', 'repeated', 'repeated'])
    const data = await repeats?.attempt({}, testGatewayRequest())?.repeat()
    expect(data === undefined ? undefined : textOf(data)).toBe('{"a":1}')
  })

  test('is not compared where that is switched off', async () => {
    const { runs } = setUp([new Fetch('a')])
    await runs(3)
    runPlainly(['repeated'])
    expect(await runs(2)).toEqual(['not compared', 'not compared'])
  })

  test('is repeated at once where its fetches end at once', async () => {
    const fetch = new Fetch('a')
    const { repeats, runs } = setUp([fetch])
    await runs(2)
    expect(repeats?.attempt({}, testGatewayRequest())?.repeat()).not.toBeInstanceOf(Promise)
    fetch.respond = async () => responseOf('{"data":{}}')
    expect(repeats?.attempt({}, testGatewayRequest())?.repeat()).toBeInstanceOf(Promise)
    expect(await runs(1)).toEqual(['repeated'])
  })

  test('is remembered where its responses come late', async () => {
    const fetch = new Fetch('a')
    fetch.respond = async () => responseOf('{"data":{}}')
    expect(await setUp([fetch]).runs(3)).toEqual(['not compared', 'compared', 'repeated'])
  })

  test('that differs takes the place of the one that is remembered', async () => {
    const fetch = new Fetch('a')
    const { runs } = setUp([fetch])
    await runs(3)
    fetch.respond = () => responseOf('{"data":{"a":2}}')
    expect(await runs(2)).toEqual(['compared', 'repeated'])
    fetch.respond = () => responseOf('{"data":{}}')
    expect(await runs(2)).toEqual(['compared', 'repeated'])
  })

  test('whose response was parsed by the transport differs', async () => {
    const fetch = new Fetch('a')
    const { runs } = setUp([fetch])
    await runs(3)
    fetch.respond = () => ({ data: {} })
    expect(await runs(2)).toEqual(['compared', 'compared'])
    // The one before is remembered still.
    fetch.respond = () => responseOf('{"data":{}}')
    expect(await runs(1)).toEqual(['repeated'])
  })

  test('that is cancelled differs, and sends nothing ahead', async () => {
    const fetch = new Fetch('a')
    const { repeats, runs } = setUp([fetch])
    await runs(3)
    fetch.sent.length = 0
    const request = testGatewayRequest()
    request.cancel()
    const attempt = repeats?.attempt({}, request)
    expect(await attempt?.repeat()).toBeUndefined()
    expect(fetch.sent).toEqual([])
  })
})

describe('the conditions of an execution', () => {
  const document = parse(`query ($x: Boolean!, $y: Boolean!, $z: Boolean!) {
    a @skip(if: $x) b: a @include(if: $y) c: a @include(if: true) d: a @mark(if: $z)
  }`)

  test('must be those of the one that is remembered', async () => {
    const { run, runs } = setUp([new Fetch('a')], { document })
    await runs(2, { x: true, y: false })
    expect(await run({ x: true, y: false })).toBe('repeated')
    for (const other of [
      { x: false, y: true },
      { x: true, y: true },
      { x: false, y: false },
    ]) {
      expect(await run(other)).toBe('compared')
      expect(await run(other)).toBe('repeated')
    }
  })

  test('are met by true alone', async () => {
    const { run, runs } = setUp([new Fetch('a')], { document })
    await runs(2, { x: true })
    for (const y of [false, null, 1, 'true']) expect(await run({ x: true, y })).toBe('repeated')
  })

  test('are the variables of @skip and @include alone', async () => {
    const { run, runs } = setUp([new Fetch('a')], { document })
    await runs(2, { x: true, y: true, z: true, n: 1 })
    expect(await run({ x: true, y: true, z: false, n: 2 })).toBe('repeated')
  })
})

describe('where executions differ', () => {
  test('eight in a row, only each 64th is compared until one does not differ', async () => {
    let turn = 0
    const fetch = new Fetch('a')
    fetch.respond = () => responseOf(`{"data":{"a":${turn++}}}`)
    const { runs } = setUp([fetch])
    const results = await runs(10)
    expect(results).toEqual(['not compared', ...Array.from({ length: 9 }, () => 'compared')])
    expect(await runs(53)).toEqual(Array.from({ length: 53 }, () => 'not compared'))
    expect(await runs(1)).toEqual(['compared'])
    fetch.respond = () => responseOf('{"data":{}}')
    expect(new Set(await runs(63))).toEqual(new Set(['not compared']))
    // Not the one that is remembered, and remembered from now on.
    expect(await runs(1)).toEqual(['compared'])
    expect(new Set(await runs(63))).toEqual(new Set(['not compared']))
    expect(await runs(3)).toEqual(['repeated', 'repeated', 'repeated'])
  })

  test('one that does not begins the count anew', async () => {
    let turn = 0
    const fetch = new Fetch('a')
    const { runs } = setUp([fetch])
    await runs(2)
    for (let round = 0; round < 4; round++) {
      fetch.respond = () => responseOf(`{"data":{"a":${turn++}}}`)
      expect(new Set(await runs(6))).toEqual(new Set(['compared']))
      fetch.respond = () => responseOf('{"data":{}}')
      expect(await runs(2)).toEqual(['compared', 'repeated'])
    }
  })

  test('those that cannot be remembered count, too', async () => {
    const fetch = new Fetch('a')
    fetch.respond = () => ({ data: {} })
    const { runs } = setUp([fetch])
    expect(await runs(10)).toEqual([
      'not compared',
      ...Array.from({ length: 8 }, () => 'compared'),
      'not compared',
    ])
  })
})

describe('what is sent', () => {
  test('are the variables of this execution, with those that were made of what is remembered', async () => {
    const first = new Fetch('a')
    const second = new Fetch('b')
    second.own = { representations: [{ id: '1' }] }
    const { run } = setUp([first, second])
    for (const n of [1, 2, 3]) await run({ n })
    expect(first.sent.at(-1)).toEqual({ n: 3 })
    expect(second.sent.at(-1)).toEqual({ n: 3, representations: [{ id: '1' }] })
    expect(first.sent).toHaveLength(2)
  })

  test('does not change with what is done to the objects that were remembered', async () => {
    const fetch = new Fetch('a')
    const id = { id: '1' }
    fetch.own = { representations: [id] }
    const { runs } = setUp([fetch])
    await runs(2)
    id.id = '2'
    expect(await runs(1)).toEqual(['repeated'])
    expect(fetch.sent.at(-1)).toEqual({ n: undefined, representations: [{ id: '1' }] })
  })

  test('is sent once for each fetch: the plan gets the responses that are there', async () => {
    const first = new Fetch('a')
    const second = new Fetch('b')
    const third = new Fetch('c')
    const { runs } = setUp([first, second, third])
    await runs(2)
    second.respond = () => responseOf('{"data":{"b":2}}')
    const counts = () => [first, second, third].map(({ sent }) => sent.length)
    const before = counts()
    expect(await runs(1)).toEqual(['compared'])
    // The third is not sent before the plan does it.
    expect(counts()).toEqual(before.map((count) => count + 1))
  })

  test('ahead is not taken where the plan sends something else', async () => {
    const first = new Fetch('a')
    const second = new Fetch('b')
    second.own = { representations: [{ id: '1' }] }
    const plan: PlanNode = { kind: 'parallel', nodes: [first.node, second.node] }
    const { run, runs } = setUp([first, second], { plan })
    await runs(2)
    first.respond = () => responseOf('{"data":{"a":2}}')
    second.own = { representations: [{ id: '2' }] }
    const sentForSecond = async () => {
      second.sent.length = 0
      await run()
      return second.sent.map(({ representations }) => representations)
    }
    // Nothing is sent ahead once it is known that the execution differs: both are, if both responses come late.
    expect(await sentForSecond()).toEqual([[{ id: '2' }]])
    first.respond = async () => responseOf('{"data":{"a":3}}')
    second.own = { representations: [{ id: '3' }] }
    expect(await sentForSecond()).toEqual([[{ id: '2' }], [{ id: '3' }]])
  })

  test('ahead goes to one receiver alone', async () => {
    const fetch = new Fetch('a')
    const { repeats, runs } = setUp([fetch])
    await runs(2)
    fetch.respond = () => responseOf('{"data":{"a":2}}')
    const request = testGatewayRequest()
    const attempt = repeats?.attempt({}, request)
    await attempt?.repeat()
    const sender = attempt?.sender()
    const { send } = fetch.prepared
    const [first, second] = [
      sender?.send(send, {}, undefined, request),
      sender?.send(send, {}, undefined, request),
    ]
    expect(first).toBeInstanceOf(UnparsedResult)
    expect(second).toBeInstanceOf(UnparsedResult)
    expect(second).not.toBe(first)
  })
})

describe('not remembered', () => {
  const mostBytes = 256 * 1024
  const data = asByteString('{"a":1}')

  test.each<[string, number, JsonObject | undefined, JsonText, boolean]>([
    ['as many bytes as may be', mostBytes - data.length, undefined, data, true],
    ['a byte more', mostBytes - data.length + 1, undefined, data, false],
    ['a byte more with what was sent', mostBytes - data.length - 6, { n: 10 }, data, false],
    ['as many with what was sent', mostBytes - data.length - 8, { n: 10 }, data, true],
    ['as many in pieces', mostBytes - 12, undefined, ['{"a":', Buffer.from('1234567')] as never, true],
    ['a byte more in pieces', mostBytes - 11, undefined, ['{"a":', Buffer.from('1234567')] as never, false],
  ])('is what takes too many bytes: %s', async (_, bytes, own, written, isRemembered) => {
    const fetch = new Fetch('a')
    const response = responseOf('x'.repeat(bytes))
    fetch.own = own
    fetch.respond = () => response
    expect(await setUp([fetch], { data: written }).runs(3)).toEqual([
      'not compared',
      'compared',
      isRemembered ? 'repeated' : 'compared',
    ])
  })

  test('is the piece of memory that a response is a small part of', async () => {
    const fetch = new Fetch('a')
    const text = '{"data":{}}'
    const shared = Buffer.alloc(mostBytes, text)
    fetch.respond = () => new UnparsedResult(shared.subarray(0, text.length), () => ({ data: {} }))
    const { noted, run, runs } = setUp([fetch])
    expect(await runs(2)).toEqual(['not compared', 'compared'])
    // What is remembered does not change with it.
    shared.fill('x')
    fetch.respond = () => responseOf(text)
    expect(await run()).toBe('repeated')
    expect(noted).toEqual([text.length + data.length])
  })

  test('is an execution of which one response was parsed', async () => {
    const fetches = [new Fetch('a'), new Fetch('b'), new Fetch('c')]
    for (const parsed of fetches) {
      const { runs } = setUp(fetches)
      for (const each of fetches)
        each.respond = each === parsed ? () => ({ data: {} }) : () => responseOf('{"data":{}}')
      expect((await runs(3)).at(-1)).toBe('compared')
    }
  })

  test('is an execution without fetches', async () => {
    const fetch = new Fetch('a')
    const { repeats } = setUp([fetch])
    const request = testGatewayRequest()
    for (let turn = 0; turn < 3; turn++) {
      const attempt = repeats?.attempt({}, request)
      expect(attempt?.repeat()).toBeUndefined()
      attempt?.sender().written(data)
    }
  })

  test('is an execution that sent a fetch several times', async () => {
    const fetch = new Fetch('a')
    const { repeats } = setUp([fetch])
    const request = testGatewayRequest()
    for (let turn = 0; turn < 3; turn++) {
      const attempt = repeats?.attempt({}, request)
      expect(attempt?.repeat()).toBeUndefined()
      const sender = attempt?.sender()
      for (const own of [{ context: 1 }, { context: 2 }])
        await sender?.send(fetch.prepared.send, own, own, request)
      sender?.written(data)
    }
  })
})

test('notes what is kept, and only what is more than before', async () => {
  const fetch = new Fetch('a')
  fetch.own = { n: 10 }
  const data = asByteString('{"a":1}')
  const { noted, runs } = setUp([fetch], { data })
  const respondWith = (bytes: number) => {
    fetch.respond = () => responseOf('x'.repeat(bytes))
  }
  respondWith(100)
  await runs(3)
  expect(noted).toEqual([100 + '{"n":10}'.length + data.length])
  respondWith(50)
  await runs(1)
  respondWith(100)
  await runs(1)
  expect(noted).toHaveLength(1)
  respondWith(130)
  await runs(1)
  expect(noted).toEqual([115, 30])
})

describe('not compared', () => {
  test('is a plan without fetches', () => {
    const document = parse('{ a }')
    expect(
      compileRepeats({ plan: undefined, fetches: new Map(), document, noteKept: () => {} }),
    ).toBeUndefined()
  })

  test.each<FetchOperation['kind']>(['mutation', 'subscription'])('is a plan with a %s', (kind) => {
    const query = new Fetch('a')
    const other = new Fetch('b', kind)
    expect(setUp([query]).repeats).toBeDefined()
    expect(setUp([query, other]).repeats).toBeUndefined()
    const plan: PlanNode = { kind: 'parallel', nodes: [query.node, other.node] }
    expect(setUp([query, other], { plan }).repeats).toBeUndefined()
    expect(setUp([other], { plan: other.node }).repeats).toBeUndefined()
  })

  test('is a plan of which a fetch is not known', () => {
    const [first, second] = [new Fetch('a'), new Fetch('b')]
    expect(setUp([first], { plan: sequenceOf(first, second) }).repeats).toBeUndefined()
  })
})

test('fetches of a sequence are sent one after the other, others at once', async () => {
  for (const kind of ['sequence', 'parallel'] as const) {
    const fetches = [new Fetch('a'), new Fetch('b')]
    const log: string[] = []
    const [first, second] = fetches as [Fetch, Fetch]
    const slowly = (name: string) => async () => {
      log.push(`${name} begins`)
      await null
      log.push(`${name} ends`)
      return responseOf('{"data":{}}')
    }
    first.respond = slowly('a')
    second.respond = slowly('b')
    const { runs } = setUp(fetches, { plan: { kind, nodes: [first.node, second.node] } })
    await runs(2)
    log.length = 0
    expect(await runs(1)).toEqual(['repeated'])
    expect(log).toEqual(
      kind === 'sequence'
        ? ['a begins', 'a ends', 'b begins', 'b ends']
        : ['a begins', 'b begins', 'a ends', 'b ends'],
    )
  }
})
