/** What an unknown name probably meant. */
import { serviceNames } from '../../subgraphs/index.ts'
import { didYouMean } from '../settings/did-you-mean.ts'
import { settings } from './settings.ts'

/** Names that are often tried, and their replacements; made at first use, because a list of `Intl` takes long. */
const meant: Readonly<Record<string, () => string>> = {
  TESSERA_PORT: () => 'PORT is the port on which the gateway listens',
  TESSERA_HOST: () => 'HOST is the address on which the gateway listens',
  TESSERA_URL: aboutUrl,
}

/** The message to somebody who set `TESSERA_URL` for a gateway. */
function aboutUrl(): string {
  const services = new Intl.ListFormat('en').format(
    serviceNames.map((name) => `TESSERA_${name.toUpperCase()}_URL`),
  )
  return `TESSERA_PUBLIC_URL is the address under which clients reach the gateway, and ${services} are those of the services`
}

/**
 * The variables that Kubernetes sets in each container for a Service whose name begins with `tessera`, unless the pod's
 * `enableServiceLinks` is false: `TESSERA_SERVICE_HOST`, `TESSERA_VIDEOS_PORT=tcp://…`, `TESSERA_PORT_4000_TCP_ADDR`.
 */
export function isServiceLink(name: string, value: string | undefined): boolean {
  if (/_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)) return true
  return name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value ?? '')
}

/** Words to append to a message about an unknown name; empty if none of the variables and `others` is similar. */
export function suggestionFor(name: string, others: readonly string[] = []): string {
  if (Object.hasOwn(meant, name)) return `; ${meant[name]?.()}`
  return didYouMean(name, [...settings.map(({ env }) => env), ...others])
}

/** The same for the first keys of a file, where many write a key without its section (`port`). */
export function suggestionForKey(name: string, sections: readonly string[]): string {
  const variable = name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
  const [byVariable] = settings.filter(({ env }) => env === variable || env === `TESSERA_${variable}`)
  const [only, other] = byVariable ? [byVariable] : settings.filter(({ path }) => path.at(-1) === name)
  if (only === undefined || other !== undefined) return suggestionFor(name, sections)
  return `; did you mean ${only.path.join('.')} (${only.env})?`
}
