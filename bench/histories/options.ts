/** Reads the arguments of the histories. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { positive } from '../arguments.ts'
import { type FaultName, faultKinds } from './nemesis.ts'

export const usage = `npm run histories -- [options]

  --minutes N   how long all of them last together; 5
  --seconds N   how long one of them lasts; 40
  --seed N      the seed of the first one, each next one has the next; a random one, which is printed
  --alone       one kind of fault in each history, in turns, rather than in every second one
  --faults A,B  only these faults: ${Object.keys(faultKinds).join(', ')}
  --out FILE    where a history in which something is wrong is written as JSON
  --report FILE where the tables are written as Markdown, after each history
  --prove       puts faults into the product instead, and says whether the checker finds each of them
`

export interface HistoriesOptions {
  readonly help: boolean
  readonly minutes: number
  readonly seconds: number
  readonly seed: number
  readonly kinds: readonly FaultName[] | undefined
  /** Whether each history has one kind of fault. */
  readonly alone: boolean
  readonly out: string | undefined
  readonly report: string | undefined
  readonly prove: boolean
}

/** Throws an Error for the user if the arguments are wrong. */
export function readHistoriesOptions(args: readonly string[]): HistoriesOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '40' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      faults: { type: 'string' },
      alone: { type: 'boolean', default: false },
      out: { type: 'string' },
      report: { type: 'string' },
      prove: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (!/^\d+$/.test(values.seed))
    throw new Error(`--seed takes a whole number from 0 up, not "${values.seed}"`)
  const kinds = values.faults?.split(',')
  const unknown = kinds?.find((kind) => !Object.hasOwn(faultKinds, kind))
  if (unknown !== undefined) throw new Error(`--faults knows no "${unknown}"`)
  return {
    help: values.help,
    minutes: positive('--minutes', values.minutes),
    seconds: positive('--seconds', values.seconds),
    seed: Number(values.seed),
    kinds: kinds as readonly FaultName[] | undefined,
    alone: values.alone,
    out: values.out,
    report: values.report,
    prove: values.prove,
  }
}
