/** The parts of a changed configuration that a running gateway takes over; the rest needs a restart. */
import { subgraphNames } from '../../subgraphs/index.ts'
import type { Config, Values } from './config.ts'
import type { Sections } from './sections/index.ts'

/** Variables that belong to a generation of the graph, as the file's sections do. */
export const reloadable: ReadonlySet<keyof Values> = new Set<keyof Values>([
  'TESSERA_SUBGRAPH_TOKENS',
  'TESSERA_SUBGRAPH_ERRORS',
  'TESSERA_AUTHORIZATION',
  'TESSERA_REQUEST_TIMEOUT_MS',
  'TESSERA_MAX_TOKENS',
  'TESSERA_MAX_NESTING',
  'TESSERA_MAX_DEPTH',
  'TESSERA_MAX_ALIASES',
  'TESSERA_MAX_ROOT_FIELDS',
  'TESSERA_MAX_DIRECTIVES',
  'TESSERA_MAX_FIELDS',
  'TESSERA_MAX_LIST_ITEMS',
  'TESSERA_MAX_CALLS',
  'TESSERA_MAX_VALUES',
  'TESSERA_MAX_RESPONSE_BYTES',
  'TESSERA_MAX_INTROSPECTION_BYTES',
  'TESSERA_MAX_PREPARING',
  'TESSERA_KEPT_OPERATIONS',
  'TESSERA_KEPT_BYTES',
  'TESSERA_MAX_BATCH',
  'TESSERA_INTROSPECTION',
  'TESSERA_HTTP_PROFILE',
  'TESSERA_ON_ERROR',
  'TESSERA_PERSISTED_MANIFEST',
  'TESSERA_WARM_OPERATIONS',
  'TESSERA_HOOKS',
  'TESSERA_HOOKS_TIMEOUT_MS',
])

/** Sections that do not. */
const lastingSections = ['issuers', 'live', 'mcp'] as const satisfies readonly (keyof Sections)[]

/** Rules for headers of subgraphs in this process, whose clients outlive a generation. */
function ownHeaderRules(running: Config, next: Config): string[] {
  if (running.values.TESSERA_SUPERGRAPH !== undefined) return []
  const rulesIn = ({ sections }: Config, name: string): string | undefined =>
    JSON.stringify(sections.headers.subgraphs?.[name])
  return subgraphNames
    .filter((name) => running.remoteSubgraphs[name] === undefined)
    .filter((name) => rulesIn(running, name) !== rulesIn(next, name))
    .map((name) => `headers.subgraphs.${name}`)
}

/**
 * The running configuration with the changeable parts of the next one, and the names of the variables that need a
 * restart.
 */
export function withoutRestart(
  running: Config,
  next: Config,
): { readonly config: Config; readonly needRestart: readonly string[] } {
  const names = Object.keys({ ...running.values, ...next.values }) as (keyof Values)[]
  const changed = names.filter(
    (name) => JSON.stringify(running.values[name]) !== JSON.stringify(next.values[name]),
  )
  const taken = changed.filter((name) => reloadable.has(name))
  const values = {
    ...running.values,
    ...Object.fromEntries(taken.map((name) => [name, next.values[name]])),
  } as Values
  const kept = Object.fromEntries(lastingSections.map((name) => [name, running.sections[name]]))
  return {
    config: Object.freeze({
      ...running,
      values: Object.freeze(values),
      sections: Object.freeze({ ...next.sections, ...kept }),
    }),
    needRestart: [
      ...ownHeaderRules(running, next),
      ...changed.filter((name) => !reloadable.has(name)),
      ...lastingSections.filter(
        (name) => JSON.stringify(running.sections[name]) !== JSON.stringify(next.sections[name]),
      ),
    ],
  }
}
