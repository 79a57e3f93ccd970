/** Whether the checker finds each fault that is put into the product, and none in the unchanged product. */
import { table } from '../report.ts'
import { check } from './check/index.ts'
import { type Mutant, mutants } from './mutants.ts'
import type { FaultName } from './nemesis.ts'
import type { History } from './record.ts'
import { runHistory } from './run.ts'
import { boundOf } from './summary.ts'

export interface ProveOptions {
  readonly seed: number
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
}

/** If so many histories do not find a fault, the checker cannot find it. */
const mostHistories = 4
const gateways = 2
/** Small, so that it is reached within a history. */
const limit = 1000

export interface Proof {
  readonly isProven: boolean
  /** As Markdown. */
  readonly text: string
}

export async function prove(options: ProveOptions): Promise<Proof> {
  const rows: string[][] = []
  let isProven = true
  for (const mutant of mutants) {
    let operations = 0
    let histories = 0
    let found: string | undefined
    while (found === undefined && histories < mostHistories) {
      const history = await run(options, histories, mutant.kinds, mutant)
      histories += 1
      operations += history.attempts.length
      found = violationsOf(history).find((violation) => mutant.finds.test(violation))
    }
    isProven &&= found !== undefined
    rows.push([mutant.what, String(histories), String(operations), found ?? 'not found'])
  }
  const kinds = [...new Set(mutants.flatMap((mutant) => mutant.kinds))]
  const sound = await run(options, 0, kinds, undefined)
  const [wrong] = violationsOf(sound)
  isProven &&= wrong === undefined
  rows.push([
    'nothing: the product as it is',
    '1',
    String(sound.attempts.length),
    wrong ?? 'nothing, rightly',
  ])
  return { isProven, text: table(['put into the product', 'histories', 'operations', 'found'], rows) }
}

const violationsOf = (history: History): readonly string[] =>
  check(history, boundOf(history.limit, gateways)).violations

function run(
  { seed, seconds, signal }: ProveOptions,
  number: number,
  kinds: readonly FaultName[],
  mutant: Mutant | undefined,
): Promise<History> {
  return runHistory({
    ...{ seed: seed + number, seconds, gateways, limit, kinds, signal },
    ...{ clients: 8, thinkMs: 20, everyMs: 500 },
    mutant: mutant?.name,
  })
}
