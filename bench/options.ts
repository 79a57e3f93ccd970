/** Reads the arguments of the benchmark. */
import { parseArgs } from 'node:util'
import { positive, whole } from './arguments.ts'
import { type CandidateName, candidateNames } from './candidates.ts'
import { type PieceName, pieceNames } from './fast.ts'
import { type FederatedName, federatedNames } from './federated/index.ts'
import { type Operation, operations } from './operations.ts'

export const usage = `npm run bench -- [options]

  --rounds N        rounds, each over all candidates and operations; 5
  --seconds N       of load for each candidate and, in turns with it, for the ceiling; 1 (of a phase of overload, and of a turn of reloads; 6; of a turn of workers; 5)
  --only A,B        candidates: ${candidateNames.join(', ')}
  --operations A,B  operations: ${operations.map(({ name }) => name).join(', ')}
  --federated       instead: gateways over four plain subgraphs, equal and differing queries; --only takes of
                    ${federatedNames.join(', ')}
  --engine          instead: what the engine takes by itself, without HTTP
  --fast            instead: what each piece of code that exists only for speed gains; --only takes of
                    ${pieceNames.join(', ')}
  --planning        instead: how long planning takes, and what plans cost beside Apollo's query planner
  --access          instead: what each way of checking a caller costs, JWT, introspection and DPoP
  --agent           instead: forty tasks by an agent without a model, in tokens, beside two other ways to give it the graph
  --reload          instead: the 99th percentile while a hundred generations take over, against the rest
  --live            instead: what 10,000 subscribers cost in memory and CPU, and how old events are when they arrive
  --incremental     instead: when the first and the last payload of a deferred answer are there
  --endurance       instead: first sight of operations, flat memory, start, resident memory
  --workers         instead: requests and CPU of one process and of two workers, of Q1 and Q2 unless --operations says so
  --distance        instead: how many calls lookups share of services 5, 30 and 100 ms away, and what the waiting costs
  --overload        instead: open arrivals up to three times what can be answered, and eight times
  --connections N   the most connections of the overload run; 2000 (subscribers of --live; 10000)
  --distinct N      distinct operations of the endurance run; 20000
  --requests N      requests of the endurance run; 500000 (of a turn of --access; 2000; of a turn of --distance; 480)
  --out FILE        where the report goes; bench/RESULTS.md for a whole run, nowhere for a part of it
`

export interface Options {
  readonly help: boolean
  readonly access: boolean
  readonly agent: boolean
  readonly endurance: boolean
  readonly planning: boolean
  readonly incremental: boolean
  readonly live: boolean
  readonly engine: boolean
  readonly reload: boolean
  readonly fast: boolean
  /** For `fast`. */
  readonly pieces: readonly PieceName[]
  readonly federated: boolean
  readonly distance: boolean
  readonly overload: boolean
  readonly workers: boolean
  readonly rounds: number
  readonly seconds: number
  readonly distinct: number
  readonly connections: number
  readonly requests: number
  readonly candidates: readonly CandidateName[]
  /** For `federated`. */
  readonly gateways: readonly FederatedName[]
  readonly operations: readonly Operation[]
  /** Empty for the default file of the report. */
  readonly out: string
}

/** Throws an Error for the user if the arguments are wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string' },
      distance: { type: 'boolean', default: false },
      overload: { type: 'boolean', default: false },
      workers: { type: 'boolean', default: false },
      connections: { type: 'string' },
      only: { type: 'string', default: '' },
      operations: { type: 'string', default: '' },
      access: { type: 'boolean', default: false },
      agent: { type: 'boolean', default: false },
      endurance: { type: 'boolean', default: false },
      planning: { type: 'boolean', default: false },
      incremental: { type: 'boolean', default: false },
      live: { type: 'boolean', default: false },
      engine: { type: 'boolean', default: false },
      reload: { type: 'boolean', default: false },
      fast: { type: 'boolean', default: false },
      federated: { type: 'boolean', default: false },
      requests: { type: 'string' },
      distinct: { type: 'string', default: '20000' },
      out: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  })
  const names = chosen(
    values.operations,
    operations.map(({ name }) => name),
  )
  return {
    help: values.help,
    access: values.access,
    agent: values.agent,
    endurance: values.endurance,
    planning: values.planning,
    incremental: values.incremental,
    live: values.live,
    engine: values.engine,
    reload: values.reload,
    fast: values.fast,
    pieces: values.fast ? chosen(values.only, pieceNames) : [],
    federated: values.federated,
    distance: values.distance,
    overload: values.overload,
    workers: values.workers,
    connections: whole('--connections', values.connections ?? (values.live ? '10000' : '2000')),
    rounds: whole('--rounds', values.rounds),
    seconds: positive('--seconds', values.seconds ?? usualSeconds(values)),
    distinct: whole('--distinct', values.distinct),
    requests: whole('--requests', values.requests ?? usualRequests(values)),
    candidates: values.federated || values.fast ? [] : chosen(values.only, candidateNames),
    gateways: values.federated ? chosen(values.only, federatedNames) : [],
    operations: operations.filter(({ name }) => names.includes(name)),
    out: values.out,
  }
}

const usualRequests = ({ access, distance }: Record<'access' | 'distance', boolean>): string =>
  access ? '2000' : distance ? '480' : '500000'

const usualSeconds = ({
  overload,
  reload,
  workers,
}: Record<'overload' | 'reload' | 'workers', boolean>): string =>
  overload || reload ? '6' : workers ? '5' : '1'

function chosen<Name extends string>(text: string, names: readonly Name[]): readonly Name[] {
  const wanted = text.split(',').filter((name) => name !== '')
  const unknown = wanted.filter((name) => !names.some((known) => known === name))
  if (unknown.length > 0)
    throw new Error(`unknown: ${unknown.join(', ')}; expected some of ${names.join(', ')}`)
  return wanted.length === 0 ? names : names.filter((name) => wanted.includes(name))
}
