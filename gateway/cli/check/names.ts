/**
 * Finds names of subgraphs in the configuration that the graph does not have, because rules for them have no
 * effect. Also finds rules for headers that cannot apply to subgraphs in this process.
 */
import { subgraphNames } from '../../../subgraphs/index.ts'
import type { Config } from '../../config/index.ts'
import { suggestionFor } from '../../config/suggestion.ts'
import { didYouMean } from '../../settings/did-you-mean.ts'
import { serviceHeaderFaults } from '../../transports/service-headers.ts'
import { strayCredentials } from '../services.ts'
import type { Finding, Outcome } from './finding.ts'

interface NamedSubgraph {
  /** The place in the configuration. */
  readonly place: string
  readonly name: string
}

function namedIn(config: Config): NamedSubgraph[] {
  const named: NamedSubgraph[] = []
  for (const section of ['traffic', 'headers', 'errors', 'cache'] as const)
    for (const name of Object.keys(config[section].subgraphs ?? {}))
      named.push({ place: `${section}.subgraphs`, name })
  const { subgraphRequest, subgraphAnswer } = config.coprocessor?.stages ?? {}
  for (const [stage, { subgraphs = [] } = {}] of Object.entries({ subgraphRequest, subgraphAnswer }))
    for (const name of subgraphs) named.push({ place: `coprocessor.stages.${stage}`, name })
  const { subgraph, calls } = config
  for (const [place, names] of Object.entries({
    'subgraph.tokens': subgraph.tokens,
    'subgraph.errors': subgraph.errors,
    'calls.shareEqualExcept': calls.shareEqualExcept,
  }))
    for (const name of names) if (name !== '*') named.push({ place, name })
  return named
}

const about = (place: string, tried: string, outcome: Outcome): Finding => ({
  ...{ subject: 'configuration', place, milliseconds: 0, tried },
  ...outcome,
})

/** A failure for each rule that cannot apply to the calls of a service. */
export function checkServiceHeaders(config: Config): Finding[] {
  const local = subgraphNames.filter((name) => config.subgraph.urls[name] === undefined)
  return serviceHeaderFaults(config, local).map((fault) => {
    const [place = '', said] = fault.split(': ', 2)
    return about(place, 'looked at the rules for headers', { said, cure: 'remove this rule' })
  })
}

export function checkNames(config: Config, known: readonly string[]): Finding[] {
  return namedIn(config)
    .filter(({ name }) => !known.includes(name))
    .map(({ place, name }) =>
      about(place, `looked for the subgraph ${JSON.stringify(name)}`, {
        said: 'the graph has no such subgraph',
        warning: `correct or remove it${didYouMean(name, known) || `; expected one of ${known.slice(0, 20).join(', ')}`}`,
      }),
    )
}

/** Warns about credentials that no real service gets. */
export function checkCredentials(config: Config): Finding[] {
  return strayCredentials(config).map((fault) => {
    const [place = '', said] = fault.split(': ', 2)
    const warning = `set ${place.replace(/CREDENTIAL$/, 'URL')}, or remove the credential`
    return about(place, 'looked for the service that it is for', { said, warning })
  })
}

/** Warns about a variable that the gateway does not read, although its name suggests that it does. */
export function checkUnread(env: Readonly<Record<string, string | undefined>>): Finding[] {
  if ((env.TESSERA_URL ?? '') === '') return []
  const warning = `ignore it if it is meant for clients${suggestionFor('TESSERA_URL')}`
  return [
    about('TESSERA_URL', 'looked at the environment', { said: 'the gateway does not read it', warning }),
  ]
}
