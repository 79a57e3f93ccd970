/** Reads the arguments of a soak. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { positive } from '../arguments.ts'

export const usage = `npm run soak -- [options]

  --minutes N   how long it lasts, after the capacity was measured; 5
  --seed N      what is asked and what fails; a random one, which is printed
  --load N      the share of the measured capacity; 0.8
`

export interface SoakOptions {
  readonly help: boolean
  readonly minutes: number
  readonly seed: number
  readonly load: number
}

/** Throws an Error for the user if the arguments are wrong. */
export function readSoakOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      load: { type: 'string', default: '0.8' },
      help: { type: 'boolean', default: false },
    },
  })
  if (!/^\d+$/.test(values.seed))
    throw new Error(`--seed takes a whole number from 0 up, not "${values.seed}"`)
  return {
    help: values.help,
    minutes: positive('--minutes', values.minutes),
    seed: Number(values.seed),
    load: positive('--load', values.load),
  }
}
