/**
 * Rules for headers of one of our own subgraphs that runs in this process: they add headers to the calls of its service.
 * The rules for all subgraphs do not, as services are other companies' as well.
 */
import { type ServiceName, type SubgraphName, serviceNames } from '../../subgraphs/index.ts'
import type { CallHeaders } from '../../subgraphs/kit/rest-client/client-options.ts'
import type { Config } from '../config/index.ts'
import { compileForwarding, type Forwarding, type HeaderRules } from '../headers/index.ts'

const rulesFor = ({ headers }: Config, name: string): HeaderRules | undefined => {
  const { subgraphs = {} } = headers
  return Object.hasOwn(subgraphs, name) ? subgraphs[name] : undefined
}

/** Undefined if no rule adds anything. */
export function serviceForwarding(config: Config, name: string): Forwarding | undefined {
  return compileForwarding(name, undefined, rulesFor(config, name))
}

/** The same, as the client of the service takes it. */
export function callHeadersOf(forwarding: Forwarding | undefined): CallHeaders | undefined {
  if (forwarding === undefined) return undefined
  return (request) =>
    forwarding.headersFor({
      header: (name) => request.header(name),
      // No pattern is taken.
      headerNames: () => [],
      identity: request.identity,
    })
}

/** What the client of a service writes itself, or what would have it answer what the client cannot use. */
const ownOfCalls: ReadonlySet<string> = new Set([
  ...['user-agent', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'],
  ...['if-range', 'range', 'prefer', 'x-http-method-override'],
])

/** Where the credential is sent. */
const credentialHeaders: Readonly<Record<string, string>> = { key: 'x-goog-api-key', none: '' }

/** What rules for these subgraphs cannot do, because they run in this process. Each names its place. */
export function serviceHeaderFaults(config: Config, names: readonly SubgraphName[]): string[] {
  return names.flatMap((name) => {
    const rules = rulesFor(config, name)
    if (rules === undefined) return []
    const place = `headers.subgraphs.${name}`
    const isService = (serviceNames as readonly string[]).includes(name)
    if (!isService) return [`${place}: this subgraph runs here and calls no service that could get headers`]
    const faults: string[] = []
    if ((rules.answer?.length ?? 0) > 0)
      faults.push(`${place}.answer: this subgraph runs here, and no header of its service reaches clients`)
    const { kind } = config.services[name as ServiceName].credential
    const ofCredential = credentialHeaders[kind] ?? 'authorization'
    for (const [at, rule] of (rules.request ?? []).entries()) {
      const where = `${place}.request.${at}`
      if ('propagate' in rule && 'matching' in rule.propagate) {
        faults.push(
          `${where}: a service gets only headers that are named: a pattern is for subgraph services`,
        )
        continue
      }
      const sent =
        'insert' in rule
          ? rule.insert.name
          : 'propagate' in rule && 'named' in rule.propagate
            ? (rule.propagate.rename ?? rule.propagate.named)
            : ''
      const header = sent.toLowerCase()
      if (ownOfCalls.has(header)) faults.push(`${where}: the client of the service decides on this header`)
      else if (header !== '' && header === ofCredential)
        faults.push(`${where}: the service's own credential is sent in this header`)
    }
    return faults
  })
}
