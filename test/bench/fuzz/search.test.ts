/** The fuzzer: that it finds faults which were put into a parser, and ends what never ends. */
import { expect, test } from 'vitest'
import { common, notRun } from '../../../bench/fuzz/coverage.ts'
import { explore, type Found } from '../../../bench/fuzz/explore.ts'
import { mutated } from '../../../bench/fuzz/mutate.ts'
import { readFuzzOptions } from '../../../bench/fuzz/options.ts'
import { createRandom } from '../../../bench/fuzz/random.ts'
import { shrunk } from '../../../bench/fuzz/shrink.ts'
import { literalsOf } from '../../../bench/fuzz/source-literals.ts'
import { fuzz } from '../../../bench/fuzz/supervise.ts'
import type { Target } from '../../../bench/fuzz/target.ts'
import { isFull } from '../../support/campaign-size.ts'
import { targets } from './planted.ts'

const named = (name: string): Target => {
  const target = targets.find((each) => each.name === name)
  if (target === undefined) throw new Error(`no target ${name}`)
  return target
}
/** Far longer than any of these takes. */
const minutes = 240_000

test('a fault behind nested conditions is found by coverage, and not without it', async () => {
  const mostExecutions = 15_000
  const { found, functions } = await fuzz(named('nested'), { seed: 1, milliseconds: minutes, mostExecutions })
  expect(found.map(({ signature }) => signature)).toEqual([
    'TypeError at readCommand (test/bench/fuzz/planted-parser.ts): the planted fault',
  ])
  // As short as it can be.
  expect(found[0]?.input.toString('latin1')).toMatch(/^<\*tessera..$/s)
  expect(functions).toBe(2)

  const blind: Found[] = []
  const goesOn = (executions: number): boolean => executions < 4 * mostExecutions
  await explore({ target: named('nested'), seed: 1, goesOn, found: (fault) => blind.push(fault) })
  expect(blind).toEqual([])
})

test('an error that the target allows is no fault', async () => {
  const { found, executions } = await fuzz(named('allowed'), {
    ...{ seed: 1, milliseconds: minutes, mostExecutions: 15_000 },
  })
  expect(found).toEqual([])
  expect(executions).toBeGreaterThanOrEqual(15_000)
})

test('the same seed tries the same inputs', async () => {
  const inputsOf = async (seed: number): Promise<string[]> => {
    const tried: string[] = []
    await explore({
      ...{ target: named('nested'), seed, found: () => {} },
      goesOn: (executions) => executions < 200,
      begin: (input) => tried.push(input.toString('latin1')),
    })
    return tried
  }
  expect(await inputsOf(7)).toEqual(await inputsOf(7))
  expect(await inputsOf(8)).not.toEqual(await inputsOf(7))
})

test.skipIf(!isFull)(
  'an input that is never read ends its process, and the search continues in another one',
  async () => {
    const { found, executions } = await fuzz(named('endless'), {
      ...{ seed: 1, milliseconds: minutes, mostExecutions: 3, hangMs: 1500 },
    })
    expect(found.map(({ signature, input }) => [signature, input.toString()])).toEqual([['hang', '!']])
    // Both seeds, by each of two processes.
    expect(executions).toBe(4)
  },
)

test.skipIf(!isFull)(
  'what takes more memory than there is, keeps more and more, or is left unhandled is a fault',
  async () => {
    const faultsOf = async (name: string): Promise<readonly string[]> => {
      const options = { seed: 1, milliseconds: minutes, mostExecutions: 1000, heapMb: 64 }
      return (await fuzz(named(name), options)).found.map(({ signature }) => signature)
    }
    expect(await faultsOf('greedy')).toEqual([expect.stringMatching(/^end of the process/)])
    expect(await faultsOf('keeping')).toEqual(['growth'])
    expect(await faultsOf('unhandled')).toEqual([expect.stringMatching(/^RangeError .*: nobody waits/)])
  },
)

test('ranges that did not run are those without a count, but for what ran within them', () => {
  const range = (startOffset: number, endOffset: number, count: number) => ({ startOffset, endOffset, count })
  expect(
    notRun({ ranges: [range(0, 100, 2), range(10, 50, 0), range(20, 30, 1), range(60, 70, 0)] }),
  ).toEqual([
    [10, 20],
    [30, 50],
    [60, 70],
  ])
  expect(
    common(
      [
        [10, 20],
        [30, 50],
      ],
      [
        [15, 35],
        [40, 45],
      ],
    ),
  ).toEqual([
    [15, 20],
    [30, 35],
    [40, 45],
  ])
})

test('changes stay within the longest input, and words of the source are among them', () => {
  const words = literalsOf(['test/bench/fuzz/planted-parser.ts'])
  expect(words).toContain('tessera')
  const material = {
    ...{ random: createRandom(3), words: words.map((word) => Buffer.from(word)) },
    ...{ others: [Buffer.from('another input')], longest: 40 },
  }
  const inputs = Array.from({ length: 3000 }, () =>
    mutated(Buffer.from('an input'), material).toString('latin1'),
  )
  expect(Math.max(...inputs.map(({ length }) => length))).toBeLessThanOrEqual(40)
  expect(inputs.some((input) => input.includes('tessera'))).toBe(true)
  expect(new Set(inputs).size).toBeGreaterThan(1500)
})

test('an input is made shorter as long as its fault stays', async () => {
  const least = await shrunk(Buffer.from('aaaaXaaaaaYaaa'), async (shorter) =>
    /X.*Y/.test(shorter.toString()),
  )
  expect(least.toString()).toBe('XY')
})

test('invalid arguments are refused in words', () => {
  const read = (...args: string[]) => readFuzzOptions(args, ['a', 'b'])
  expect(read('--seconds', '2', '--only', 'a,b', '--seed', '7')).toMatchObject({
    seconds: 2,
    only: ['a', 'b'],
    seed: 7,
  })
  expect(() => read('--only', 'c')).toThrow('--only knows no "c"; --list prints the names')
  expect(() => read('--seed', 'x')).toThrow('--seed takes a whole number from 0 up, not "x"')
  expect(() => read('--input', 'f')).toThrow('--input needs the one target of --only that it is for')
  expect(() => read('--together', '0')).toThrow('--together takes a whole number from 1 up')
})
