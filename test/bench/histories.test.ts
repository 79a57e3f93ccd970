/**
 * The checker finds each kind of fault in histories into which it was put. A short history with a killed gateway, a
 * Redis failover and lost answers is possible.
 */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heardFrom } from '../../bench/histories/ask.ts'
import { check } from '../../bench/histories/check/index.ts'
import {
  type CounterInput,
  counter,
  isLinearizable,
  type Model,
  type Operation,
} from '../../bench/histories/check/linearizable.ts'
import { mutants, mutated } from '../../bench/histories/mutants.ts'
import { readHistoriesOptions } from '../../bench/histories/options.ts'
import type { Attempt, FaultRecord, History } from '../../bench/histories/record.ts'
import { runHistory } from '../../bench/histories/run.ts'
import { boundOf, createSummary } from '../../bench/histories/summary.ts'
import { withRedis } from '../support/redis.ts'

describe('a history of one object', () => {
  type Access = { readonly write: number } | { readonly read: number }
  const register: Model<number, Access> = {
    initial: 0,
    step: (state, input) => ('write' in input ? input.write : input.read === state ? state : undefined),
    print: String,
  }
  const at = <Input>(invoked: number, completed: number, input: Input): Operation<Input> => ({
    invoked,
    completed,
    input,
  })

  test('is possible if some order explains every answer', () => {
    const write: Access = { write: 1 }
    expect(isLinearizable([at(0, 10, write), at(1, 2, { read: 0 }), at(3, 4, { read: 1 })], register)).toBe(
      'possible',
    )
    // Once one has read the new value, none reads the old one that begins later.
    expect(isLinearizable([at(0, 10, write), at(1, 2, { read: 1 }), at(3, 4, { read: 0 })], register)).toBe(
      'impossible',
    )
    // Without an answer it may have happened late, or never.
    const lost = at<Access>(0, Number.POSITIVE_INFINITY, write)
    expect(isLinearizable([lost, at(5, 6, { read: 0 }), at(7, 8, { read: 1 })], register)).toBe('possible')
    expect(isLinearizable([lost, at(5, 6, { read: 0 }), at(7, 8, { read: 0 })], register)).toBe('possible')
    expect(isLinearizable([lost, at(5, 6, { read: 1 }), at(7, 8, { read: 0 })], register)).toBe('impossible')
  })

  test('says the same as trying every order', () => {
    const operation = fc.record({
      invoked: fc.integer({ min: 0, max: 8 }),
      lasts: fc.integer({ min: 1, max: 5 }),
      input: fc.oneof(
        fc.record({ write: fc.integer({ min: 0, max: 2 }) }),
        fc.record({ read: fc.integer({ min: 0, max: 2 }) }),
      ),
      isLost: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 5 }), (drawn) => {
        const operations = drawn.map(({ invoked, lasts, input, isLost }) =>
          at<Access>(invoked, isLost && 'write' in input ? Number.POSITIVE_INFINITY : invoked + lasts, input),
        )
        expect(isLinearizable(operations, register)).toBe(
          someOrder(operations, register, register.initial) ? 'possible' : 'impossible',
        )
      }),
    )
  })

  function someOrder<State, Input>(
    left: readonly Operation<Input>[],
    model: Model<State, Input>,
    state: State,
  ): boolean {
    if (left.every(({ completed }) => completed === Number.POSITIVE_INFINITY)) return true
    return left.some((next) => {
      if (left.some((other) => other.completed < next.invoked)) return false
      const after = model.step(state, next.input)
      return (
        after !== undefined &&
        someOrder(
          left.filter((each) => each !== next),
          model,
          after,
        )
      )
    })
  }

  test('a counter allows additions that are known only within bounds', () => {
    const add = (least: number, most: number): CounterInput => ({ add: [least, most] })
    const first = at(0, 1, add(5, 5))
    const lost = at(0, Number.POSITIVE_INFINITY, add(0, 3))
    expect(isLinearizable([first, lost, at(2, 3, { read: 8 })], counter)).toBe('possible')
    expect(isLinearizable([first, lost, at(2, 3, { read: 9 })], counter)).toBe('impossible')
    expect(isLinearizable([first, lost, at(2, 3, { read: 4 })], counter)).toBe('impossible')
    expect(isLinearizable([first, at(2, 3, { read: 5 })], counter, 1)).toBe('undecided')
  })
})

const attempt = (given: Partial<Attempt>): Attempt => ({
  ...{ client: 0, gateway: 0, kind: 'comment', effect: 'text', key: undefined, credential: 'c' },
  ...{ invoked: 0, completed: 1, ending: 'done', codes: [], answer: undefined, spent: 50, most: 70 },
  ...{ refusal: undefined, ledger: undefined },
  ...given,
})
const fault = (kind: string, ofRedis: boolean): FaultRecord => ({
  ...{ kind, ofRedis, gateway: undefined, began: 0, ended: 100 },
})
const numbers = { estimated: 50, maximum: null, remaining: 0, resetsAt: '2026-01-01T08:00:00.000Z' }
const exceeded = { kind: 'read', effect: 'r', spent: 0, codes: ['QUOTA_EXCEEDED'] } as const

describe('the checker', () => {
  const budget = { kind: 'budget', effect: 'budget', invoked: 2, completed: 3, spent: 0, most: 0 } as const
  /** One comment that was acknowledged, and is right in every respect. */
  const right: History = {
    limit: 100,
    attempts: [attempt({ key: 'k', answer: '{"id":1}' }), attempt({ ...budget, ...ledger(50) })],
    faults: [],
    outcomes: [{ kind: 'comment', effect: 'text' }],
    charges: [{ credential: 'c', units: 50, place: 0 }],
    shuts: [],
    books: new Map([['c', { used: 50, remaining: 50 }]]),
  }
  function ledger(used: number): Pick<Attempt, 'ledger'> {
    return { ledger: { used, remaining: 100 - used, limit: 100 } }
  }
  const also = (...more: readonly Partial<Attempt>[]): Partial<History> => ({
    attempts: [...right.attempts, ...more.map(attempt)],
  })

  test('finds nothing in valid histories', () => {
    expect(check(right, 0).violations).toEqual([])
    expect(check(right, 0).ledger).toMatchObject({ checked: 1, undecided: 0 })
  })

  test.each<[what: string, change: Partial<History>, found: RegExp]>([
    ['an acknowledged write that is not there', { outcomes: [] }, /was acknowledged, and is not there/],
    [
      'a write that was repeated',
      { outcomes: [...right.outcomes, ...right.outcomes] },
      /was acknowledged, and is there 2 times/,
    ],
    [
      'a write of unknown outcome that was made twice',
      { attempts: [attempt({ ending: 'unknown' })], outcomes: [...right.outcomes, ...right.outcomes] },
      /is of unknown outcome, and is there 2 times/,
    ],
    [
      'a refused write that was made',
      { attempts: [attempt({ ending: 'refused', codes: ['SERVICE_BUSY'] })] },
      /was refused each time, and is there 1 times/,
    ],
    [
      'a write that was not asked for',
      { outcomes: [...right.outcomes, { kind: 'intent', effect: 'x' }] },
      /intent x was not asked for/,
    ],
    ['two answers to one key', also({ key: 'k', answer: '{"id":2}', spent: 0 }), /k was answered in 2 ways/],
    [
      'an overdraw',
      {
        charges: [...right.charges, { credential: 'c', units: 51, place: 1 }],
        books: new Map([['c', { used: 101, remaining: 0 }]]),
      },
      /101 units were charged, 1 over the limit/,
    ],
    [
      'a lost settlement',
      { charges: [...right.charges, { credential: 'c', units: 20, place: 1 }] },
      /the ledger misses 20 of 70 units/,
    ],
    [
      'a double promise, of which the ledger knows one',
      {
        ...also({ effect: 'other', spent: 50 }),
        outcomes: [...right.outcomes, { kind: 'comment', effect: 'other' }],
        charges: [...right.charges, { credential: 'c', units: 50, place: 1 }],
      },
      /what the ledger said was never so/,
    ],
    [
      'a ledger that forgets',
      also({ ...budget, effect: 'b2', invoked: 5, completed: 6, ...ledger(0) }),
      /what the ledger said was never so/,
    ],
    [
      'a call after the service has said that nothing is left',
      { shuts: [{ credential: 'c', place: -1 }] },
      /1 calls were charged although/,
    ],
    ['a refusal without its numbers', also(exceeded), /r: a refusal has not all numbers/],
    [
      'a refusal of what would have fitted',
      also({ ...exceeded, refusal: { ...numbers, remaining: 50 } }),
      /r: a refusal of 50 units says that 50 are left/,
    ],
    [
      'refusals that disagree on when the day ends',
      also(
        { ...exceeded, refusal: numbers },
        { ...exceeded, refusal: { ...numbers, resetsAt: '2026-01-02T08:00:00.000Z' } },
      ),
      /refusals name 2 ends of the day/,
    ],
    [
      'a defect of the gateway',
      also({ key: 'k', answer: '{"id":1}', codes: ['INTERNAL_SERVER_ERROR'] }),
      /text was answered with INTERNAL_SERVER_ERROR/,
    ],
  ])('finds %s', (_, change, found) => {
    const { violations } = check({ ...right, ...change }, 0)
    expect(violations.filter((violation) => found.test(violation))).not.toEqual([])
  })

  test('allows what is declared while gateways are without Redis, and no more', () => {
    const history: History = {
      ...right,
      faults: [fault('redis-cut', true)],
      charges: [...right.charges, { credential: 'c', units: 60, place: 1 }],
      books: new Map([['c', { used: 110, remaining: 0 }]]),
    }
    expect(check(history, 10).violations).toEqual([])
    expect(check(history, 9).violations).toEqual([expect.stringContaining('10 over the limit')])
    expect(check({ ...history, faults: [fault('kill-gateway', false)] }, 10).violations).toHaveLength(1)
  })

  test('bears that a gateway finds its way back to Redis some time after the fault', () => {
    const attempts = right.attempts.map((each) => ({
      ...each,
      invoked: each.invoked + 20_000,
      completed: each.completed + 20_000,
      ...(each.ledger === undefined ? {} : ledger(0)),
    }))
    const violationsAfter = (ended: number): readonly string[] =>
      check({ ...right, attempts, faults: [{ ...fault('redis-change-places', true), ended }] }, 0).violations
    expect(violationsAfter(19_000)).toEqual([])
    expect(violationsAfter(1000)).toEqual(['c: what the ledger said was never so'])
  })

  test('takes a like that was made twice for one', () => {
    const attempts = [attempt({ kind: 'like', spent: 0, most: 0 })]
    const outcome = { kind: 'like', effect: 'text' } as const
    const history: History = { ...right, attempts, outcomes: [outcome, outcome], charges: [] }
    expect(check(history, 0).violations).toEqual([])
  })
})

describe('a fault in the product', () => {
  test.each(mutants)('$name is a piece of its source that is still there', (mutant) => {
    const source = readFileSync(new URL(`../../${mutant.file}`, import.meta.url), 'utf8')
    expect(mutated(mutant, source)).not.toBe(source)
    expect(() => mutated(mutant, `${source}${mutant.from}`)).toThrow(`the mutant ${mutant.name} expects once`)
  })
})

test('the tables say what is over the limit under each kind of fault, separately and together', () => {
  const refused = attempt({ ...exceeded, ending: 'refused', most: 0, refusal: numbers })
  const history: History = {
    limit: 100,
    attempts: [refused],
    faults: [fault('redis-cut', true)],
    outcomes: [],
    charges: [{ credential: 'c', units: 107, place: 0 }],
    shuts: [],
    books: new Map([['c', { used: 104, remaining: 0 }]]),
  }
  const summary = createSummary()
  summary.add(history, check(history, 50), 50)
  const cells = (text: string, heading: string): string[][] =>
    (text.split(`## ${heading}`)[1] ?? '')
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => /^\| (redis|client)/.test(line))
      .map((line) => line.split('|').flatMap((cell) => (cell.trim() === '' ? [] : [cell.trim()]))) ?? []
  const one = ['redis-cut', '1', '1', '1', '1', '7', '50', '3', '1']
  expect(cells(summary.print(), 'Faults of one kind')).toEqual([one])
  expect(summary.print()).not.toContain('Faults of all kinds')
  const both = { ...history, faults: [...history.faults, fault('client-cut', false)] }
  summary.add(both, check(both, 50), 50)
  expect(cells(summary.print(), 'Faults of one kind')).toEqual([one])
  expect(cells(summary.print(), 'Faults of all kinds')).toEqual([one, ['client-cut', ...one.slice(1)]])
  expect(summary.violations).toBe(2)
})

test('an answer is acknowledged, refused or of unknown outcome', () => {
  const heard = (answer: unknown): string => heardFrom(JSON.stringify(answer)).ending
  const error = (code: string, more: object = {}) => ({ extensions: { code, ...more } })
  expect(heard({ data: { f: { liked: true } } })).toBe('done')
  expect(heard({ data: { f: null }, errors: [error('QUOTA_EXCEEDED')] })).toBe('refused')
  expect(heard({ data: { f: null }, errors: [error('UPSTREAM_TIMEOUT', { outcome: 'unknown' })] })).toBe(
    'unknown',
  )
  expect(heard({ data: { f: null }, errors: [error('INTERNAL_SERVER_ERROR')] })).toBe('unknown')
  expect(heardFrom('<html>').ending).toBe('unknown')
})

test('the arguments are read, and wrong ones explained', () => {
  expect(
    readHistoriesOptions(['--minutes', '2', '--seed', '7', '--faults', 'kill-gateway,redis-cut']),
  ).toEqual({
    ...{ help: false, minutes: 2, seconds: 40, seed: 7, out: undefined, report: undefined, prove: false },
    alone: false,
    kinds: ['kill-gateway', 'redis-cut'],
  })
  expect(() => readHistoriesOptions(['--faults', 'flood'])).toThrow('--faults knows no "flood"')
  expect(() => readHistoriesOptions(['--seed', 'x'])).toThrow('--seed takes a whole number')
})

describe.skipIf(!withRedis('a short history'))(
  'two gateways, a Redis with a replica, and the services',
  () => {
    test('keep their promises while a gateway is killed, Redis fails over and answers are lost', async () => {
      // On a busy machine all confirmed changes of a history may meet a fault: then another one follows.
      for (const seed of [31, 32, 33]) {
        const history = await runHistory({
          seed,
          seconds: 10,
          gateways: 2,
          clients: 4,
          thinkMs: 200,
          everyMs: 500,
          kinds: ['kill-gateway', 'redis-failover', 'service-lost-answers', 'client-lost-answers'],
        })
        const verdict = check(history, boundOf(history.limit, 2))
        expect(verdict.violations).toEqual([])
        const summary = createSummary()
        summary.add(history, verdict, boundOf(history.limit, 2))
        expect(summary.print()).toMatch(/^\| violations +\| +0 \|$/m)
        expect(summary.print()).toMatch(/^\| redis-failover .*\| +1250 \|/m)
        const done = history.attempts.filter(({ ending }) => ending === 'done')
        // As agents do it.
        if (done.some(({ key }) => key?.startsWith('confirmation'))) return
      }
      expect.fail('no history has a confirmed change that was done')
    })
  },
)
