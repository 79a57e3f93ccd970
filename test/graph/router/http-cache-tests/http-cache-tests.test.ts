/**
 * What is kept of subgraphs follows RFC 9111 and RFC 5861: cases of our own, and the public tests of HTTP caches, played
 * through a gateway with its cache on. If it does otherwise than the public tests ask, that is named here with its
 * reason. To play them, too:
 *
 * git clone https://github.com/http-tests/cache-tests /tmp/cache-tests
 * TESSERA_TEST_HTTP_CACHE_TESTS=/tmp/cache-tests npx vitest run test/graph/router/http-cache-tests
 */
import { expect, test } from 'vitest'
import { keepForFile } from '../../../support/keep.ts'
import { type How, type Outcome, startAdapter } from './adapter.ts'
import { type Case, notApplicable, readCases } from './cases.ts'
import { ownCases } from './own-cases.ts'

const checkout = process.env.TESSERA_TEST_HTTP_CACHE_TESTS
const everyCase = checkout === undefined ? [] : await readCases(checkout)
if (checkout === undefined)
  console.info('the public tests of HTTP caches are not played: TESSERA_TEST_HTTP_CACHE_TESTS names none')
const applicable = everyCase.filter((each) => notApplicable(each) === undefined)
const publicTest = test.skipIf(checkout === undefined)

/** Where it answers otherwise than an optimal cache, or than a case asks about that leaves the answer open. */
const deviations: readonly (readonly [RegExp, string])[] = [
  [/^freshness-max-age-two-/, 'of two times the lesser one holds'],
  [
    /^freshness-max-age-(decimal-zero|decimal-five|a100|100a)$/,
    'a time that is no number of seconds is none left',
  ],
  [/^age-parse-(numeric-)?parameter$/, 'an Age that is no number says nothing'],
  [
    /^headers-omit-headers-listed-in-Cache-Control-no-cache/,
    'no-cache with names of fields counts as no-cache',
  ],
  [/^stale-(close|503|warning-(stored|become))$/, 'nothing is used stale that does not say so'],
  [/^heuristic-(200-cached|delta-)|-heuristic-content|-heuristic$/, 'there is no heuristic freshness'],
  [/^(status-(?!200)\d+-fresh|heuristic-(?!200)\d+-cached)$/, 'only answers with status 200 are kept'],
  [/^status-200-must-understand$/, 'no-store holds whatever else is said'],
  [/^vary-normalise-(lang|space)/, 'values of headers are compared as they come'],
  [/^conditional-etag-vary-headers-mismatch$/, 'an answer for another caller is not asked about'],
  [/^conditional-etag-strong-generate-unquoted$/, 'an ETag is sent back as it came'],
  [/^other-authorization-must-revalidate$/, 'that other callers get it says `public` or `s-maxage` alone'],
  [/^invalidate-.+-failed$/, 'a mutation that failed may have changed something'],
]
/** Answers as the cases have them: without `public` they are for callers with the same forwarded headers. */
const deviationsUnsaid: typeof deviations = [
  ...deviations,
  [/^(vary-cache-key|other-cookie)$/, 'what does not say `public` is for callers with equal headers'],
]

const adapter = keepForFile(await startAdapter())

/** So many at a time that none waits for its turn longer than the least time that cases distinguish. */
const atATime = 60

async function play(cases: readonly Case[], how: How, most = atATime): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = [...cases]
  const next = async (): Promise<void> => {
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift())
      outcomes.push(await adapter.play(each, how))
  }
  await Promise.all(Array.from({ length: most }, next))
  return outcomes
}

/** Fails if a case that is not named failed, and if a name is of no case that failed. */
function hold(outcomes: readonly Outcome[], allowed: typeof deviations): void {
  const isAllowed = (id: string): boolean => allowed.some(([names]) => names.test(id))
  const failed = outcomes.filter(({ passed }) => !passed)
  expect(failed.filter(({ id }) => !isAllowed(id))).toEqual([])
  const passed = outcomes.filter((each) => each.passed && isAllowed(each.id))
  expect(
    passed.map(({ id }) => id),
    'named as deviations, and none',
  ).toEqual([])
}

test('cases of our own', async () => {
  const outcomes = await play(ownCases, {})
  expect(outcomes.filter(({ passed }) => !passed)).toEqual([])
  expect(outcomes).toHaveLength(ownCases.length)
})

publicTest('each public case is played, or it is said why not', () => {
  const reasons = new Map<string, number>()
  for (const each of everyCase) {
    const why = notApplicable(each)
    if (why !== undefined) reasons.set(why, (reasons.get(why) ?? 0) + 1)
  }
  const lines = [...reasons].map(([why, count]) => `${count} not played: ${why}`)
  console.info([`${applicable.length} of ${everyCase.length} cases`, ...lines].join('\n'))
  expect(applicable.length).toBeGreaterThan(200)
})

publicTest('freshness, age, validation, Vary and stale answers are as HTTP has them', async () => {
  const cases = applicable.filter(({ suite }) => suite !== 'invalidation')
  const isShared = ({ id, suite }: Case): boolean => suite.startsWith('vary') || id === 'other-cookie'
  // The first requests of a process take longest.
  await adapter.play({ id: 'first', suite: '', kind: 'check', requests: [{}] })
  const [unsaid, shared] = await Promise.all([
    play(cases, {}),
    play(cases.filter(isShared), { isPublic: true }),
  ])
  hold(unsaid, deviationsUnsaid)
  hold(shared, deviations)
  const required = cases.filter(({ kind }) => kind === 'required').map(({ id }) => id)
  expect(unsaid.filter(({ id, passed }) => !passed && required.includes(id))).toEqual([])
})

publicTest(
  'a mutation lets everything of its subgraph be asked for anew where it returns no entity',
  async () => {
    // One at a time: each makes the answers of the others be fetched again.
    const cases = applicable.filter(({ suite }) => suite === 'invalidation')
    hold(await play(cases, { atOnce: true }, 1), deviations)
  },
)
