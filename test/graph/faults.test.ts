/**
 * Everything that a service may do wrong, met by every operation, through the gateway. The operation is sent
 * together with fields of the other services. The services' own journals show what arrived, how often, in which
 * order, and what was done.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fault, type FaultKind, faultKinds, isAfterWork } from '../../sandbox/faults.ts'
import type { JournalEntry, Sandbox } from '../../sandbox/index.ts'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import type { ServiceName } from '../../subgraphs/index.ts'
import type { UpstreamTuning } from '../../subgraphs/kit/rest-client/index.ts'
import { type Graph, type GraphAnswer, startGraph } from '../support/graph.ts'
import { keepForFile } from '../support/keep.ts'
import { type Operation, operations } from '../support/operations.ts'
import { startScripted } from '../support/scripted-service.ts'

const services = ['videos', 'agents', 'messages', 'metrics'] as const satisfies readonly ServiceName[]

interface Company {
  readonly operation: string
  readonly field: string
}

/** A field of each service to stand beside the one that fails. The metrics service has no writes that could fail. */
const beside: Record<'query' | 'mutation', Partial<Record<ServiceName, Company>>> = {
  query: {
    videos: {
      operation: 'videos.list',
      field: `video(videoId: "${sampleVideos.own[0]}") { videoId snippet { title } }`,
    },
    agents: { operation: 'agents.getAgent', field: 'agent(project: "demo") { displayName timeZone }' },
    messages: {
      operation: 'messages.lookup',
      field: `message(messageId: "${sampleMessages.ordinary}") { messageId text }`,
    },
    metrics: { operation: 'metrics.buildInfo', field: 'metrics { buildInfo { version } }' },
  },
  mutation: {
    videos: {
      operation: 'commentThreads.insert',
      field: `insertCommentThread(input: { videoId: "${sampleVideos.own[0]}", textOriginal: "Beside" }) { commentThread { videoId topLevelComment { textOriginal } } }`,
    },
    agents: {
      operation: 'agents.intents.create',
      field: 'createIntent(input: { project: "demo", displayName: "beside" }) { intent { displayName } }',
    },
    messages: {
      operation: 'messages.like',
      field: `likeMessage(input: { userId: "${sampleMessages.demoUser}", messageId: "${sampleMessages.ordinary}" }) { liked }`,
    },
  },
}

interface Expectation {
  readonly code: string
  /** How often a read leaves, with two retries. */
  readonly reads: number
  /** Whether what became of a write cannot be known. */
  readonly unknown: boolean
}

const expectations: Record<FaultKind, Expectation> = {
  status: { code: 'UPSTREAM_UNAVAILABLE', reads: 3, unknown: false },
  hang: { code: 'UPSTREAM_TIMEOUT', reads: 1, unknown: true },
  reset: { code: 'UPSTREAM_UNAVAILABLE', reads: 3, unknown: true },
  slow: { code: 'UPSTREAM_TIMEOUT', reads: 1, unknown: true },
  garbage: { code: 'UPSTREAM_BAD_RESPONSE', reads: 1, unknown: true },
  truncated: { code: 'UPSTREAM_BAD_RESPONSE', reads: 1, unknown: true },
  'wrong-type': { code: 'UPSTREAM_BAD_RESPONSE', reads: 1, unknown: true },
  redirect: { code: 'UPSTREAM_BAD_RESPONSE', reads: 1, unknown: true },
  huge: { code: 'UPSTREAM_BAD_RESPONSE', reads: 1, unknown: true },
  'gzip-bomb': { code: 'UPSTREAM_BAD_RESPONSE', reads: 1, unknown: true },
  late: { code: 'UPSTREAM_TIMEOUT', reads: 1, unknown: true },
  'lost-answer': { code: 'UPSTREAM_UNAVAILABLE', reads: 3, unknown: true },
}

/** Their answers are all head: cut short, no answer has begun. */
const bodiless = new Set(['videos.insert', 'videos.delete'])

/** Only the deadline ends these. */
const endless = new Set<FaultKind>(['hang', 'slow', 'late'])

/** Uploads begin and exports end without a change that the service keeps. */
const keepsNothing = new Set(['videos.insert', 'agents.export'])

const isMutation = ({ ask }: Operation): boolean => ask.startsWith('mutation')

function companyOf(operation: Operation): readonly { service: ServiceName; company: Company }[] {
  const fields = beside[isMutation(operation) ? 'mutation' : 'query']
  return services.flatMap((service) => {
    const company = fields[service]
    return company === undefined || service === operation.service ? [] : [{ service, company }]
  })
}

/** The operation with a field of every other service: around a mutation, after a query. */
function inCompany(operation: Operation): string {
  const { ask } = operation
  const fields = companyOf(operation).map(({ service, company }) => `${service}Beside: ${company.field}`)
  const [first, ...others] = fields
  const open = ask.indexOf('{') + 1
  const close = ask.lastIndexOf('}')
  const own = ask.slice(open, close)
  const all = isMutation(operation) ? [first, own, ...others] : [own, ...fields]
  return `${ask.slice(0, open)} ${all.join(' ')} }`
}

/** Where the operation's own failure is reported: the field that the service was asked for. */
const pathOf: Readonly<Record<string, string>> = {
  'commentThreads.list': 'channel.commentThreads',
  'agents.intents.list': 'agent.intents',
  'messages.likingUsers': 'message.likingUsers',
  'metrics.query': 'metrics.query',
  'metrics.queryRange': 'metrics.queryRange',
  'metrics.rules': 'metrics.ruleGroups',
  'metrics.alerts': 'metrics.alerts',
  'metrics.buildInfo': 'metrics.buildInfo',
}

function failingPath({ name, ask }: Operation): string {
  return pathOf[name] ?? /\{\s*(\w+)/.exec(ask)?.[1] ?? ''
}

interface Outcome {
  readonly answer: GraphAnswer
  readonly journal: readonly JournalEntry[]
  readonly writes: Sandbox['writes']
}

/** Resolves when nothing is under way any more at the services: every connection was answered, or closed. */
async function quiet({ journal }: Sandbox): Promise<void> {
  while (journal.some(({ ended }) => ended === undefined))
    await new Promise((resolve) => setImmediate(resolve))
}

async function ask({ sandbox, ask }: Graph, operation: Operation): Promise<Outcome> {
  const answer = await ask(inCompany(operation), operation.variables)
  await quiet(sandbox)
  return { answer, journal: [...sandbox.journal], writes: [...sandbox.writes] }
}

/** A service that fails all the time is asked again and again here: its breaker has a test of its own. */
const steady: UpstreamTuning = {
  retryDelayMs: 1,
  // No case comes near it, on however busy a machine.
  timeoutMs: 300_000,
  // Bodies are far beyond any bound; a small one is reached sooner.
  maxResponseBytes: 4 * 1024 * 1024,
  breaker: { consecutive: 1e9, ratio: 0.99, minimumRps: 1e9 },
}

/** Only if nothing else can end a call is its deadline short, and only of the service that fails. */
const deadlineMs = 3000

const startedAt = Date.now()

const unhandled: unknown[] = []
const remember = (reason: unknown): void => void unhandled.push(reason)
const logged: string[] = []

const startSteadyGraph = (impatient?: string): Promise<Graph> =>
  startGraph({
    tuning: Object.fromEntries(
      services.map((service) => [
        service,
        service === impatient ? { ...steady, timeoutMs: deadlineMs } : steady,
      ]),
    ),
    env: { TESSERA_LOG_LEVEL: 'error' },
    // Alerts begin and end as time passes; here two answers are compared.
    sandbox: { now: () => startedAt },
  })

interface Case {
  readonly name: string
  run(graph: Graph): Promise<Outcome>
}

interface WaitingCase extends Case {
  readonly lane: string
  readonly settled: PromiseWithResolvers<Outcome>
}

/** Cases wait in lanes, each with a graph of its own; tests wait for their case. */
const cases = new Map<string, WaitingCase>()
const lanes: Promise<void>[] = []

/** The graph goes when its last case has run: what is kept is looked at by each collection of garbage. */
async function runLane(graph: Graph, waiting: readonly WaitingCase[]): Promise<void> {
  for (const { run, settled } of waiting) {
    graph.sandbox.reset()
    await run(graph).then(settled.resolve, settled.reject)
  }
  await graph[Symbol.asyncDispose]()
  logged.push(...graph.log)
}

/** The lane whose graph has no service with a short deadline. */
const nobody = 'nobody'

function later(lane: string, name: string, run: Case['run']): () => Promise<Outcome> {
  const settled = Promise.withResolvers<Outcome>()
  settled.promise.catch(() => {})
  cases.set(name, { lane, name, run, settled })
  return () => settled.promise
}

/** It must never be called. */
const stranger = keepForFile(await startScripted({}))
const elsewhere = `${stranger.url}/elsewhere`

beforeAll(async () => {
  process.on('unhandledRejection', remember)
  for (const [lane, waiting] of Map.groupBy(cases.values(), ({ lane }) => lane)) {
    const graph = await startSteadyGraph(lane.split(' ')[0])
    lanes.push(runLane(graph, waiting))
  }
})

afterAll(async () => {
  await Promise.all(lanes)
  process.off('unhandledRejection', remember)
})

const undisturbed = new Map(
  operations.map((operation) => [
    operation,
    later(nobody, `${operation.name} undisturbed`, (graph) => ask(graph, operation)),
  ]),
)

function ofCompany(operation: Operation, { data }: GraphAnswer): unknown[] {
  return companyOf(operation).map(({ service }) => data?.[`${service}Beside`])
}

const callsOf = ({ journal }: Outcome, name: string): JournalEntry[] =>
  journal.filter(({ operation }) => operation === name)

const writesOf = ({ writes }: Outcome, name: string): number =>
  writes.filter(({ operation }) => operation === name).length

describe('if nothing goes wrong', () => {
  test.each(operations)('$name is answered with fields of the other services', async (operation) => {
    const outcome = (await undisturbed.get(operation)?.()) as Outcome
    expect(outcome.answer.data).toMatchObject(operation.gives as object)
    expect(ofCompany(operation, outcome.answer)).not.toContain(null)
    expect(ofCompany(operation, outcome.answer)).not.toContain(undefined)
    expect(callsOf(outcome, operation.name)).toHaveLength(1)
    const keeps = isMutation(operation) && !keepsNothing.has(operation.name)
    expect(writesOf(outcome, operation.name)).toBe(keeps ? 1 : 0)
  })
})

/**
 * Asks again where the call never reached the service, where another service's call ran into its deadline, or where it
 * arrived only after the faulty one had run into its own: a process that got no processor until then says nothing of the
 * fault. What the fault itself does to others it does each time.
 */
async function arrived(graph: Graph, operation: Operation, fault: Fault): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    graph.sandbox.reset()
    graph.sandbox.fail(fault)
    const outcome = await ask(graph, operation)
    const isLate = outcome.answer.errors.some(
      ({ path, extensions }) =>
        extensions.code === 'UPSTREAM_TIMEOUT' && path?.join('.') !== failingPath(operation),
    )
    const [faulty] = callsOf(outcome, operation.name)
    const isBeside =
      isMutation(operation) || !endless.has(fault.kind) || begunAfter(outcome, operation, faulty).length === 0
    if (attempt === 10 || (faulty !== undefined && !isLate && isBeside)) return outcome
  }
}

/** The calls of the other services that did not arrive before the faulty one ended. */
const begunAfter = (
  outcome: Outcome,
  operation: Operation,
  faulty: JournalEntry | undefined,
): JournalEntry[] =>
  companyOf(operation)
    .flatMap(({ company }) => callsOf(outcome, company.operation))
    .filter(({ began }) => !(began < (faulty?.ended ?? -1)))

const disturbed = faultKinds.map((kind) => ({
  kind,
  each: operations.map((operation) => {
    // What waits for a deadline waits beside others.
    const lane = endless.has(kind) ? `${operation.service} ${isMutation(operation)} ${kind}` : nobody
    const outcome = later(lane, `${kind} ${operation.name}`, (graph) =>
      arrived(graph, operation, {
        kind,
        operation: operation.name,
        times: 100,
        ...(kind === 'status' ? { status: 503, headers: { 'retry-after': '0' } } : {}),
        ...(kind === 'redirect' ? { location: elsewhere } : {}),
        // Slow: the first byte comes in time. Late: after everybody has gone home.
        ...(kind === 'slow' ? { delayMs: deadlineMs / 2 } : {}),
        ...(kind === 'late' ? { delayMs: 3_600_000 } : {}),
      }),
    )
    return { operation, name: operation.name, outcome }
  }),
}))

describe.each(disturbed)('a service that fails by $kind', ({ kind, each }) => {
  test.each(each)('costs $name and nothing else', async ({ operation, outcome: ended }) => {
    const { name, service } = operation
    const expected = expectations[kind]
    const outcome = await ended()
    const { answer } = outcome
    const mutation = isMutation(operation)

    // What failed is reported once, if it was asked for, and nothing else failed.
    const code = kind === 'truncated' && bodiless.has(name) ? 'UPSTREAM_UNAVAILABLE' : expected.code
    expect(answer.errors.map(({ path }) => path?.join('.'))).toEqual([failingPath(operation)])
    const [error] = answer.errors
    expect(error?.extensions).toMatchObject({ code, service })
    expect(error?.extensions.outcome).toBe(mutation && expected.unknown ? 'unknown' : undefined)
    expect(error?.message.includes('unknown')).toBe(mutation && expected.unknown)

    // The other services' data is whole.
    const whole = (await undisturbed.get(operation)?.()) as Outcome
    expect(ofCompany(operation, answer)).toEqual(ofCompany(operation, whole.answer))

    // A write reached the service exactly once, a read as often as it may.
    const calls = callsOf(outcome, name)
    expect(calls).toHaveLength(mutation ? 1 : expected.reads)
    const done = mutation && !keepsNothing.has(name) && isAfterWork({ kind })
    expect(writesOf(outcome, name)).toBe(done ? 1 : 0)

    // The others were asked once each: a query's while the faulty one was under way, a mutation's in order.
    const company = companyOf(operation).map(({ company }) => callsOf(outcome, company.operation))
    expect(company.map(({ length }) => length)).toEqual(company.map(() => 1))
    const others = company.flat()
    expect(others.every(({ answered }) => answered)).toBe(true)
    const [faulty] = calls as [JournalEntry]
    if (mutation) {
      const order = [others[0], faulty, ...others.slice(1)].map((entry) => entry?.began ?? -1)
      expect(order).toEqual([...order].sort((a, b) => a - b))
      for (const { operation: theirs } of others) expect(writesOf(outcome, String(theirs))).toBe(1)
    } else if (endless.has(kind)) expect(begunAfter(outcome, operation, faulty)).toEqual([])
    // Its deadline ended it: the service had not, and nothing is left open there.
    if (endless.has(kind)) expect(faulty.answered).toBe(false)
  })
})

const reads = operations.filter((operation) => !isMutation(operation))
const passing = ['status', 'reset', 'lost-answer'] as const
const recovering = passing.map((kind) => ({
  kind,
  each: reads.map((operation) => ({
    operation,
    name: operation.name,
    outcome: later(nobody, `${kind} ${operation.name} twice`, (graph) => {
      graph.sandbox.fail({
        kind,
        operation: operation.name,
        times: 2,
        ...(kind === 'status' ? { status: 503, headers: { 'retry-after': '0' } } : {}),
      })
      return ask(graph, operation)
    }),
  })),
}))

describe.each(recovering)('a service that fails by $kind twice', ({ each }) => {
  test.each(each)('answers $name at the third call', async ({ operation, outcome: ended }) => {
    const outcome = await ended()
    const whole = (await undisturbed.get(operation)?.()) as Outcome
    expect(outcome.answer.data).toEqual(whole.answer.data)
    expect(outcome.answer.errors).toEqual(whole.answer.errors)
    expect(callsOf(outcome, operation.name)).toHaveLength(3)
  })
})

const moved = reads.map((operation) => ({
  operation,
  name: operation.name,
  outcome: later(nobody, `redirect ${operation.name} once`, async (graph) => {
    const first = await ask(graph, operation)
    const call = first.journal.find((entry) => entry.operation === operation.name)
    graph.sandbox.reset()
    graph.sandbox.fail({
      kind: 'redirect',
      operation: operation.name,
      location: `${call?.path}?${call?.query}`,
    })
    return ask(graph, operation)
  }),
}))

test.each(moved)(
  '$name is followed after it moved within its service',
  async ({ operation, outcome: ended }) => {
    const outcome = await ended()
    const whole = (await undisturbed.get(operation)?.()) as Outcome
    expect(outcome.answer.data).toEqual(whole.answer.data)
    expect(callsOf(outcome, operation.name)).toHaveLength(2)
  },
)

const asksToWait = [
  ...operations.map((operation) => ({
    operation,
    name: operation.name,
    outcome: later(nobody, `wait ${operation.name}`, (graph) => {
      graph.sandbox.fail({
        kind: 'status',
        operation: operation.name,
        times: 100,
        status: 503,
        headers: { 'retry-after': '3600' },
      })
      return ask(graph, operation)
    }),
  })),
]

test.each(asksToWait)(
  '$name is not called again before the time that the service names, which the caller learns',
  async ({ operation, outcome: ended }) => {
    const outcome = await ended()
    expect(outcome.answer.errors[0]?.extensions).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      service: operation.service,
      retryAfter: 3600,
    })
    expect(callsOf(outcome, operation.name)).toHaveLength(1)
  },
)

test('no call was redirected to another host, no rejection was unhandled, and nothing is a fault of our own', async () => {
  await Promise.all(lanes)
  expect(stranger.arrived).toEqual([])
  expect(unhandled).toEqual([])
  expect(logged).toEqual([])
})
