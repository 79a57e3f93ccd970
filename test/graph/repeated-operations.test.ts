/**
 * An operation that comes again is answered by other code than the first time. The answer is the same each time, in one
 * process and over subgraph services, with all of the code that exists only for speed, without each piece, and without all.
 */

import { describe, expect, test } from 'vitest'
import { type FastParts, fastParts } from '../../gateway/fast.ts'
import { startSandbox } from '../../sandbox/index.ts'
import { campaignSize, isFull } from '../support/campaign-size.ts'
import { type Graph, type GraphAnswer, startGraph } from '../support/graph.ts'
import { type OwnQuery, ownQueries, typenamePlaces, withTypenames } from '../support/own-operations.ts'
import { randomness } from '../support/random-operation.ts'
import { randomOwnOperations } from '../support/random-own-operations.ts'
import { testSeed } from '../support/seed.ts'
import { startServices } from '../support/services.ts'

/** How often each query is asked. The last code takes over after the third execution. */
const times = 4

const now = Date.now()
const sandboxOptions = { synthetic: true, now: () => now }
const start = JSON.stringify(String(Math.floor(now / 1000) - 90))
const end = JSON.stringify(String(Math.floor(now / 1000)))

/** Random selections of samples: order, aliases, `__typename` anywhere, conditions, fragments. */
function randomSamples(count: number): readonly OwnQuery[] {
  const random = randomness(testSeed + 1)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  return Array.from({ length: count }, () => {
    const members = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, at) => {
      const name = pick(['time', 'value', 'float', '__typename', '__typename'])
      const condition = random() < 0.1 ? ` @include(if: ${pick(['true', 'false', '$yes', '$no'])})` : ''
      const field = `${random() < 0.4 ? `a${at}: ` : ''}${name}${condition}`
      return random() < 0.1 ? `... { ${field} }` : field
    })
    const again = random() < 0.1 ? 'samples { __typename float }' : ''
    return {
      query: `query ($yes: Boolean! = true, $no: Boolean! = false) { metrics {
        queryRange(query: "up", start: ${start}, end: ${end}, step: "30s") {
          series { ${pick(['', 'name', '__typename'])} samples { ${members.join(' ')} } ${again} } }
        yes: __typename @include(if: $yes) no: __typename @include(if: $no) } }`,
      variables: {},
    }
  })
}

/** What an answer is held to: its data to the letter, and its errors, which may come in another order. */
function held({ status, data, errors }: GraphAnswer): string {
  const lines = errors.map(({ path, extensions }) => JSON.stringify([path, extensions.code])).sort()
  return `${status} ${JSON.stringify(data)} ${lines.join(' ')}`
}

const all: readonly OwnQuery[] = [
  ...ownQueries(now).flatMap((query, at) =>
    (isFull ? [undefined, ...typenamePlaces] : [typenamePlaces[at % typenamePlaces.length]]).map((place) =>
      withTypenames(query, place),
    ),
  ),
  ...randomSamples(campaignSize(60)),
  ...randomOwnOperations(campaignSize(60), testSeed, now).flatMap((query) =>
    typenamePlaces.slice(0, 2).map((place) => withTypenames(query, place)),
  ),
]

const expected = new Map<OwnQuery, string>()

/** Asks each query so often, and holds every answer to what a process without any fast code answers once. */
async function expectTheSame(graph: Graph, queries: readonly OwnQuery[], way: string): Promise<void> {
  for (const one of queries) {
    for (let time = 1; time <= times; time++) {
      const answer = held(await graph.ask(one.query, one.variables))
      if (answer !== expected.get(one))
        expect(`${time}: ${answer}`, `${way}\n${one.query}`).toBe(`${time}: ${expected.get(one)}`)
    }
  }
}

/** A part of the queries for each piece: every query with one after the other over some of the pieces. */
function share(at: number, every = isFull ? 16 : 25): readonly OwnQuery[] {
  return all.filter((_, index) => (index + at) % every === 0)
}

describe('every own query, and random ones, with `__typename` at each level', () => {
  test('have an answer without fast code', async () => {
    await using graph = await startGraph({ fast: {}, sandbox: sandboxOptions })
    for (const one of all) expected.set(one, held(await graph.ask(one.query, one.variables)))
    const whole = [...expected.values()].filter((answer) => answer.startsWith('200 {'))
    expect(whole.length).toBeGreaterThan(all.length * 0.9)
    expect(whole.filter((answer) => answer.includes('"__typename":"MetricsSample"')).length).toBeGreaterThan(
      5,
    )
  })

  test.each([
    ['in one process', undefined],
    ['over services in HTTP', false],
    ['over services in frames', true],
  ] as const)('have it each time that they are asked, %s', async (way, frames) => {
    // If everything is checked each query passes services in one of its variants, by HTTP or by frames.
    const most = isFull ? share(frames === true ? 1 : 0, 6) : share(0)
    await using sandbox = await startSandbox(sandboxOptions)
    const started = async (fast: FastParts): Promise<Graph & AsyncDisposable> => {
      const urls = { videos: sandbox.url, agents: sandbox.url, messages: sandbox.url, metrics: sandbox.url }
      if (frames === undefined) return startGraph({ fast, sandbox: sandboxOptions })
      const env = { TESSERA_SUBGRAPH_FRAMES: String(frames) }
      const services = await startServices(sandbox.url, env, undefined, { fast })
      const graph = await startGraph({ env: { ...services.env, ...env }, urls, fast })
      return {
        ...graph,
        async [Symbol.asyncDispose]() {
          await graph[Symbol.asyncDispose]()
          await services[Symbol.asyncDispose]()
        },
      }
    }
    const ways: readonly (readonly [string, FastParts, readonly OwnQuery[]])[] = [
      ['with all of it', fastParts, frames === undefined ? all : most],
      ['without any', {}, share(1)],
      ...(frames === true
        ? []
        : Object.keys(fastParts).map(
            (name, at) => [`without ${name}`, { ...fastParts, [name]: undefined }, share(at + 2)] as const,
          )),
    ]
    for (const [what, fast, queries] of ways) {
      await using graph = await started(fast)
      await expectTheSame(graph, queries, `${way}, ${what}`)
    }
  })
})
