/** Reads the arguments of the fuzzer. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { positive, whole } from '../arguments.ts'

export const usage = `npm run fuzz -- [options]

  --seconds N    how long each target runs; 30
  --only A,B     only these targets; --list prints their names
  --seed N       what is drawn; a random one, which is printed
  --together N   so many targets run at the same time; 1
  --out FOLDER   where inputs are written at which something is wrong; test-artifacts/fuzz
  --report FILE  where the table is written as Markdown
  --input FILE   only this input, for the one target of --only: what comes of it is printed
  --list         prints the targets and what each of them covers
`

export interface FuzzCommand {
  readonly help: boolean
  readonly list: boolean
  readonly seconds: number
  /** Undefined for all targets. */
  readonly only: readonly string[] | undefined
  readonly seed: number
  readonly together: number
  readonly out: string
  readonly report: string | undefined
  readonly input: string | undefined
}

/** Throws an Error for the user if the arguments are wrong. */
export function readFuzzOptions(args: readonly string[], names: readonly string[]): FuzzCommand {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '30' },
      only: { type: 'string' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      together: { type: 'string', default: '1' },
      out: { type: 'string', default: 'test-artifacts/fuzz' },
      report: { type: 'string' },
      input: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (!/^\d{1,10}$/.test(values.seed))
    throw new Error(`--seed takes a whole number from 0 up, not "${values.seed}"`)
  const only = values.only?.split(',')
  const unknown = only?.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`--only knows no "${unknown}"; --list prints the names`)
  if (values.input !== undefined && only?.length !== 1)
    throw new Error('--input needs the one target of --only that it is for')
  return {
    help: values.help,
    list: values.list,
    seconds: positive('--seconds', values.seconds),
    only,
    seed: Number(values.seed),
    together: whole('--together', values.together),
    out: values.out,
    report: values.report,
    input: values.input,
  }
}
