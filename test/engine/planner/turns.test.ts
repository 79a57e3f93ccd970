/**
 * Planning over several turns of the event loop: the most steps of each, for operations of the greatest length.
 */
import { describe, expect, test } from 'vitest'
import { createPlanner, printPlan } from '../../../engine/planner/index.ts'
import { loadSupergraph } from '../../../engine/supergraph/index.ts'
import { planInputOf } from '../../support/normalised.ts'
import { composeAny, randomGraph, randomOperationOf } from '../../support/random-federation/index.ts'

const count = 6
const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@requires", "@external"])'
const services = Object.fromEntries(
  Array.from({ length: count }, (_, i) => [
    `s${i}`,
    `${link} type Query { root${i}: Item } type Item @key(fields: "id") { id: ID! own${i}: Int next: Item @shareable
       shared${i % 2}: Int @shareable ${i === 0 ? '' : `own${i - 1}: Int @external q${i}: Int @requires(fields: "own${i - 1}")`} }`,
  ]),
)
const supergraph = loadSupergraph(composeAny(services).supergraph ?? '')
const fields = Array.from({ length: count }, (_, i) => `own${i} ${i === 0 ? '' : `q${i}`}`).join(' ')
const tokensOf = (text: string): number => text.match(/[\w$]+|[{}():@]|\.\.\./g)?.length ?? 0
const repeated = (part: (n: number) => string, tokens: number): string => {
  let text = ''
  for (let n = 0; tokensOf(text) + tokensOf(part(n)) < tokens; n++) text += ` ${part(n)}`
  return text
}

const long = {
  wide: `{ ${repeated((n) => `a${n}: root${n % count} { id ${fields} shared0 shared1 }`, 4900)} }`,
  'under conditions': `query($x: Boolean!) { ${repeated((n) => `a${n}: root0 { ... @include(if: $x) { next { ${fields} } } own${n % count} @skip(if: $x) }`, 4890)} }`,
  nested: `{ ${repeated((n) => `a${n}: root${n % count} { ${'next { own1 q3 '.repeat(18)} ${fields} ${'}'.repeat(18)} }`, 4900)} }`,
}

/** How many steps each turn takes, in those between two looks at the clock; the last is a bound for the whole. */
function turnsOf(source: typeof supergraph, text: string): { turns: number[]; plan: string } {
  let looks = 0
  const now = () => looks++
  const input = planInputOf(source.apiSchema, text)
  const planning = createPlanner(source, { now }).planning({ ...input, deadline: 1e12 })
  const turns: number[] = []
  for (;;) {
    const before = looks
    const step = planning.next()
    turns.push(looks - before)
    if (step.done === true) return { turns, plan: printPlan(step.value) }
  }
}

/** In looks at the clock: one comes after 64 steps of the search, or 256 fields of the tree. */
const mostLooks = 20

describe('a plan in several turns', () => {
  test.each(Object.entries(long))(
    'of an operation of 4,900 tokens, %s, takes few steps in each',
    (_, text) => {
      const { turns } = turnsOf(supergraph, text)
      expect(turns.length).toBeGreaterThan(3)
      expect(Math.max(...turns)).toBeLessThan(mostLooks)
    },
  )

  test('is the same plan, and yields between attempts if there are many', () => {
    // A drawn one, whose alternatives take ten times the steps of the first plan.
    const graph = randomGraph(43)
    const query = randomOperationOf(graph, 43_010)?.query ?? ''
    const { turns, plan } = turnsOf(graph.supergraph, query)
    const input = planInputOf(graph.supergraph.apiSchema, query)
    expect(plan).toBe(printPlan(createPlanner(graph.supergraph).plan(input)))
    expect(turns.length).toBeGreaterThan(4)
    // One look is 64 steps; what an attempt takes beyond that is its own.
    expect(Math.max(...turns)).toBeLessThan(24)
  })
})
