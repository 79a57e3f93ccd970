/** `tessera usage`: which client selects which field in which operation, as gateways have counted it. */
import { sendOnce } from '../../shared/http/client.ts'
import { counted } from '../../shared/runtime/counted.ts'
import {
  largestReport,
  mergeUsage,
  othersIn,
  readUsage,
  type UsageReport,
  type Use,
  usesIn,
} from '../telemetry/usage/index.ts'
import {
  type Arguments,
  type Command,
  CommandError,
  exitCodes,
  hostInUrl,
  type Io,
  UsageError,
} from './command.ts'
import { configurationFrom } from './configuration.ts'
import { readText, writeText } from './files.ts'

interface Row extends Readonly<ReturnType<typeof toldOf>> {
  readonly coordinate: string
  /** The reason; undefined if the field is not deprecated. */
  readonly deprecated: string | undefined
}

const fieldForm = /^\w+\.\w+$/
const shortHash = 8

const operationIn = ({ operation: { name, hash } }: Use): string =>
  `${name ?? 'anonymous'} ${hash.slice(0, shortHash)}`

const clientIn = ({ client, version }: Pick<Use, 'client' | 'version'>): string =>
  client === undefined ? 'unknown' : version === undefined ? client : `${client} ${version}`

export const toldOf = (use: Use) => ({
  operation: operationIn(use),
  client: clientIn(use),
  count: use.count,
  last: use.last,
})

/** Deprecated fields first, then by name, the most used ones before others. */
function rowsOf(report: UsageReport, isWanted: (row: Row) => boolean): Row[] {
  const { deprecated } = report
  const reason = (coordinate: string): string | undefined =>
    Object.hasOwn(deprecated, coordinate) ? deprecated[coordinate] : undefined
  // Arguments and values are listed only if they are deprecated, and fields always.
  const isTold = (coordinate: string): boolean =>
    fieldForm.test(coordinate) || reason(coordinate) !== undefined
  const rows: Row[] = []
  const add = (coordinate: string, told: ReturnType<typeof toldOf>): void => {
    if (isTold(coordinate)) rows.push({ coordinate, deprecated: reason(coordinate), ...told })
  }
  for (const use of usesIn(report))
    for (const coordinate of use.operation.coordinates) add(coordinate, toldOf(use))
  for (const [coordinate, count] of othersIn(report))
    add(coordinate, { operation: 'others', client: 'others', count, last: '' })
  const rank = ({ deprecated }: Row): number => (deprecated === undefined ? 1 : 0)
  return rows
    .filter(isWanted)
    .sort(
      (a, b) =>
        rank(a) - rank(b) ||
        compare(a.coordinate, b.coordinate) ||
        b.count - a.count ||
        compare(a.client, b.client) ||
        compare(a.operation, b.operation),
    )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function printed(rows: readonly Row[]): string {
  const cells = rows.map(({ coordinate, deprecated, operation, client, count, last }) => [
    deprecated === undefined ? '' : 'deprecated',
    coordinate,
    operation,
    client,
    String(count),
    last.slice(0, 10),
  ])
  const all = [['', 'field', 'operation', 'client', 'requests', 'last'], ...cells]
  const widths = (all[0] ?? []).map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, at) => (at === 4 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
        .join('  '),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

export function summaryOf({ processes }: UsageReport): string {
  const requests = processes.reduce((sum, { requests: more }) => sum + more, 0)
  const [since] = processes.map((each) => each.since).sort()
  const isComplete = processes.every((each) => each.isComplete)
  return `${counted(requests, 'request')}${since === undefined ? '' : ` since ${since.slice(0, 16)}Z`}${isComplete ? '' : '; some of what they used is unknown, because there was no room'}`
}

function placesIn(args: Arguments, io: Io): readonly string[] {
  if (args.positionals.length > 0) return args.positionals
  const { host, port } = configurationFrom(io.env).admin
  if (port === undefined || port === 0)
    throw new UsageError('name a gateway’s admin port or a file, or set TESSERA_ADMIN_PORT')
  return [`http://${hostInUrl(host)}:${port}`]
}

export const usageCommand: Command = {
  synopsis: '[URL|FILE …] [--deprecated] [--field F] [--client C] [--operation O] [--json] [--out FILE]',
  operands: 1000,
  options: {
    deprecated: { help: 'only deprecated elements' },
    field: {
      value: 'F',
      help: 'only this field, or all fields of a type: Video.title, Video',
    },
    client: { value: 'C', help: 'only clients of this name' },
    operation: {
      value: 'O',
      help: 'only operations with this name, or whose hash begins with it',
    },
    json: { help: 'rows as JSON' },
    out: {
      value: 'FILE',
      help: 'write all reports together to a file, for later and for diff',
    },
  },
  example: 'tessera usage http://127.0.0.1:4090 usage.json --deprecated --out usage.json',

  async run(args, io) {
    const report = await readReports(placesIn(args, io), io.env.TESSERA_ADMIN_TOKEN)
    const out = args.string('out')
    if (out !== undefined) writeText(out, `${JSON.stringify(report)}\n`)
    const [field, client, operation] = ['field', 'client', 'operation'].map((name) => args.string(name))
    const isWanted = (row: Row): boolean => {
      const [name, hash = ''] = row.operation.split(' ')
      return (
        (!args.flag('deprecated') || row.deprecated !== undefined) &&
        (field === undefined || row.coordinate === field || row.coordinate.startsWith(`${field}.`)) &&
        (client === undefined || row.client === client || row.client.startsWith(`${client} `)) &&
        (operation === undefined ||
          name === operation ||
          (hash !== '' && (operation.startsWith(hash) || hash.startsWith(operation))))
      )
    }
    const rows = rowsOf(report, isWanted)
    if (args.flag('json')) io.out(`${JSON.stringify(rows, null, 2)}\n`)
    else {
      if (rows.length > 0) io.out(printed(rows))
      io.err(`${summaryOf(report)}\n`)
    }
    return exitCodes.done
  },
}

const timeoutMs = 30_000

/**
 * `token` is for the admin port of each gateway. It is sent to no other origin, because redirects are not followed.
 */
async function fetchReport(address: string, token: string | undefined): Promise<UsageReport> {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '')
    throw new CommandError('expected the address of an admin port, such as http://127.0.0.1:4090')
  const { origin } = url
  if (token === undefined)
    throw new CommandError(`${origin}: TESSERA_ADMIN_TOKEN must be set: the admin port asks for it`)
  const headers = ['accept', 'application/json', 'authorization', `Bearer ${token}`]
  const asked = { method: 'GET', headers, body: undefined, maxBytes: largestReport } as const
  const { loss, status, body } = await sendOnce(new URL('/usage', url), asked, timeoutMs)
  if (loss !== undefined) throw new CommandError(`${origin} did not respond (${loss})`)
  if (status === 409) throw new CommandError(`${origin} counts no usage: TESSERA_USAGE_ENTRIES is 0 there`)
  if (status !== 200) throw new CommandError(`${origin} answered ${status}: expected 200`)
  const report = readUsage(body.toString('utf8'))
  if (report === undefined) throw new CommandError(`${origin} returned no report of usage`)
  return report
}

/** Reads the report of each place, which is a gateway's admin port or a file. Throws a CommandError. */
export async function readReports(
  places: readonly string[],
  token: string | undefined,
): Promise<UsageReport> {
  const reports: UsageReport[] = []
  for (const place of places) {
    if (/^https?:\/\//i.test(place)) {
      reports.push(await fetchReport(place, token))
      continue
    }
    const report = readUsage(readText(place))
    if (report === undefined)
      throw new CommandError(`${place} is not a report of usage: expected one of \`tessera usage --out\``)
    reports.push(report)
  }
  return mergeUsage(reports)
}
