/** The scripted agent of the benchmark, over some of its tasks: one of each kind. */
import { expect, test } from 'vitest'
import { runTasks, shortOf, tasks } from '../../bench/agent/index.ts'

const some = [
  /most popular video called/,
  /may not read likes/,
  /units is spent/,
  /1,500 tokens/,
  /"Well done\."/,
]

test('an agent without a model solves its tasks within bounds and budgets', async () => {
  expect(tasks).toHaveLength(40)
  const chosen = tasks.filter(({ asks }) => some.some((words) => words.test(asks)))
  expect(chosen).toHaveLength(some.length)
  const run = await runTasks(chosen)
  expect(shortOf(run)).toEqual([])
  expect(run.results.map(({ writes }) => writes ?? 0)).toEqual([0, 0, 0, 0, 1])
})

test('reports a wrong answer, one over its bound and a change made twice', async () => {
  const result = {
    asks: 'What?',
    answer: 1,
    isRight: false,
    calls: 5,
    tokens: 7_000,
    longest: 9_000,
    bound: 8_000,
    writes: 2,
    others: [
      { tokens: 30_000, calls: 1 },
      { tokens: 20_000, calls: 1 },
    ],
  }
  const found = shortOf({ definitionTokens: 3_001, results: [result], strictUnits: 4 })
  expect(found).toHaveLength(9)
})
