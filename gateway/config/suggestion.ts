/** What an unknown name probably meant. */
import { serviceNames } from '../../subgraphs/index.ts'
import { variables } from './variables/index.ts'
import { variableOf } from './variables/services.ts'

/** Names that are often tried, and their replacements; made at first use, because a list of `Intl` takes long. */
const meant: Readonly<Record<string, () => string>> = {
  TESSERA_PORT: () => 'PORT is the port on which the gateway listens',
  TESSERA_HOST: () => 'HOST is the address on which the gateway listens',
  TESSERA_URL: aboutUrl,
}

/** The message to somebody who set `TESSERA_URL` for a gateway. */
function aboutUrl(): string {
  const services = new Intl.ListFormat('en').format(serviceNames.map((name) => variableOf(name, 'URL')))
  return `TESSERA_PUBLIC_URL is the address under which clients reach the gateway, and ${services} are those of the services`
}

/** The most edits between a name and a suggestion. */
const mostEdits = 4
/** A longer name is not compared: the work grows with its length. */
const longestName = 100

/**
 * The variables that Kubernetes sets in each container for a Service whose name begins with `tessera`, unless the pod's
 * `enableServiceLinks` is false: `TESSERA_SERVICE_HOST`, `TESSERA_VIDEOS_PORT=tcp://…`, `TESSERA_PORT_4000_TCP_ADDR`.
 */
export function isServiceLink(name: string, value: string | undefined): boolean {
  if (/_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)) return true
  return name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value ?? '')
}

/**
 * Words to append to a message about an unknown name; empty if no name is similar. `others`: names beside the
 * variables'.
 */
export function suggestionFor(name: string, others: readonly string[] = []): string {
  if (Object.hasOwn(meant, name)) return `; ${meant[name]?.()}`
  return didYouMean(name, [...Object.keys(variables), ...others])
}

/** The same among given names. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (name.length > longestName) return ''
  const [closest] = known
    .map((each) => ({ each, edits: editsBetween(name, each) }))
    .sort((a, b) => a.edits - b.edits)
  // A short name is similar to every other short one.
  const most = Math.min(mostEdits, Math.max(1, Math.floor(name.length / 2)))
  return closest !== undefined && closest.edits <= most ? `; did you mean ${closest.each}?` : ''
}

/** Levenshtein's distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution))
    }
    row = next
  }
  return row[b.length] ?? 0
}
