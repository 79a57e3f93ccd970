import { expect, test } from 'vitest'
import { candidateNames } from '../../bench/candidates.ts'
import { operations } from '../../bench/operations.ts'
import { readOptions } from '../../bench/options.ts'
import { readSoakOptions } from '../../bench/soak/options.ts'

test('without arguments everything takes part', () => {
  expect(readOptions([])).toMatchObject({ rounds: 5, seconds: 1, candidates: candidateNames, operations })
})

test('requested candidates take part, in the order of the whole list', () => {
  const {
    candidates,
    operations: asked,
    seconds,
  } = readOptions(['--only', 'mercurius,tessera', '--operations', 'Q3,Q1', '--seconds', '0.5'])
  expect(candidates).toEqual(['tessera', 'mercurius'])
  expect(asked.map(({ name }) => name)).toEqual(['Q1', 'Q3'])
  expect(seconds).toBe(0.5)
})

test.each([
  [['tessera'], /Unexpected argument 'tessera'/],
  [['--only', 'tesera'], /unknown: tesera; expected some of ceiling, tessera/],
  [['--operations', 'Q1,Q9'], /unknown: Q9; expected some of Q1/],
  [['--rounds', '0'], /--rounds takes a whole number from 1 up, not "0"/],
  [['--rounds', '1.5'], /--rounds takes a whole number/],
  [['--seconds', '-1'], /'--seconds' argument is ambiguous/],
  [['--seconds=-1'], /--seconds takes a number above 0, not "-1"/],
  [['--distinct', 'many'], /--distinct takes a whole number from 1 up, not "many"/],
])('%j is refused in words', (args, words) => {
  expect(() => readOptions(args)).toThrow(words)
})

test('reloads are measured in turns of six seconds by default otherwise', () => {
  expect(readOptions(['--reload'])).toMatchObject({ reload: true, seconds: 6, rounds: 5 })
  expect(readOptions(['--reload', '--seconds', '2'])).toMatchObject({ seconds: 2 })
  expect(readOptions([]).reload).toBe(false)
})

test('workers are measured in turns of five seconds, so that new connections are a small part of them', () => {
  expect(readOptions(['--workers'])).toMatchObject({ workers: true, seconds: 5, rounds: 5 })
  expect(readOptions(['--workers', '--seconds', '2'])).toMatchObject({ seconds: 2 })
  expect(readOptions([]).workers).toBe(false)
})

test('by default, the services at a distance get 480 lookups in a turn', () => {
  expect(readOptions(['--distance'])).toMatchObject({ distance: true, requests: 480, rounds: 5 })
  expect(readOptions(['--distance', '--requests', '96'])).toMatchObject({ requests: 96 })
  expect(readOptions([])).toMatchObject({ distance: false, requests: 500_000 })
})

test('a soak has its own faults unless a seed is given', () => {
  expect(readSoakOptions([])).toMatchObject({ minutes: 5, load: 0.8 })
  expect(readSoakOptions(['--seed', '0', '--minutes', '0.2'])).toMatchObject({ seed: 0, minutes: 0.2 })
})

test.each([
  [['ten'], /Unexpected argument 'ten'/],
  [['--minutes', 'ten'], /--minutes takes a number above 0, not "ten"/],
  [['--load', '0'], /--load takes a number above 0, not "0"/],
  [['--seed', '1.5'], /--seed takes a whole number from 0 up, not "1.5"/],
])('%j is refused in words by a soak', (args, words) => {
  expect(() => readSoakOptions(args)).toThrow(words)
})
