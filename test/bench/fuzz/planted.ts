/** Targets with faults that were put into them. */
import { targetsOf } from '../../../bench/fuzz/target.ts'
import { readCommand } from './planted-parser.ts'

const common = { covers: ['test/bench/fuzz/planted-parser.ts'], seeds: ['get name'] }
const kept: Buffer[] = []
const holds = (input: Buffer, char: string): boolean => input.includes(char)

export const targets = targetsOf(import.meta.url, [
  { ...common, name: 'nested', run: (input) => readCommand(input.toString('latin1')) },
  {
    ...common,
    name: 'allowed',
    allows: (error) => error instanceof TypeError,
    run: (input) => readCommand(input.toString('latin1')),
  },
  {
    ...common,
    name: 'endless',
    seeds: ['get name', '!'],
    run(input) {
      while (holds(input, '!')) readCommand('')
    },
  },
  {
    ...common,
    name: 'greedy',
    run(input) {
      const all: string[][] = []
      while (holds(input, '!')) all.push(Array<string>(1_000_000).fill(`${all.length}`))
    },
  },
  { ...common, name: 'keeping', run: () => kept.push(Buffer.alloc(64 * 1024)) },
  {
    ...common,
    name: 'unhandled',
    run(input) {
      if (holds(input, '!')) void Promise.reject(new RangeError('nobody waits'))
    },
  },
])
