/** Merges reports of usage from running gateways and from files. */
import { sendOnce } from '../../shared/http/client.ts'
import { largestReport, mergeUsage, readUsage, type UsageReport } from '../telemetry/usage/index.ts'
import { CommandError } from './command.ts'
import { readText } from './files.ts'

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
