/** The parts of a changed configuration that a running gateway takes over; the rest needs a restart. */

import { valueAt } from '../../shared/json/value-at.ts'
import { subgraphNames } from '../../subgraphs/index.ts'
import type { Config } from './config.ts'
import { settings } from './settings.ts'

/** Rules for headers of subgraphs in this process, whose clients outlive a generation. */
function ownHeaderRules(running: Config, next: Config): string[] {
  if (running.supergraph.places !== undefined) return []
  const rulesIn = ({ headers }: Config, name: string): string | undefined =>
    JSON.stringify(headers.subgraphs?.[name])
  return subgraphNames
    .filter((name) => running.subgraph.urls[name] === undefined)
    .filter((name) => rulesIn(running, name) !== rulesIn(next, name))
    .map((name) => `headers.subgraphs.${name}`)
}

type Tree = { [key: string]: unknown }

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The running configuration with what may change of the next, and the names of settings that need a restart. */
export function withoutRestart(
  running: Config,
  next: Config,
): { readonly config: Config; readonly needRestart: readonly string[] } {
  const changed = settings.filter(({ path }) => !isEqual(valueAt(running, path), valueAt(next, path)))
  const config: Tree = { ...running }
  for (const { path } of changed.filter(({ reload }) => reload)) {
    const [section = '', ...below] = path
    // A section is taken over as a whole if all of it may change, so that what is left out stays left out.
    const isWhole = settings.every((each) => each.path[0] !== section || each.reload)
    if (isWhole) config[section] = next[section as keyof Config]
    else config[section] = withValue(config[section] as Tree, below, valueAt(next, path))
  }
  return {
    config: Object.freeze(config) as unknown as Config,
    needRestart: [
      ...ownHeaderRules(running, next),
      ...changed.filter(({ reload }) => !reload).map(({ env, path }) => `${env} (${path.join('.')})`),
    ],
  }
}

function withValue(section: Tree | undefined, [key = '', ...below]: readonly string[], value: unknown): Tree {
  if (below.length > 0)
    return { ...section, [key]: withValue(section?.[key] as Tree | undefined, below, value) }
  const { [key]: _was, ...others } = section ?? {}
  return value === undefined ? others : { ...others, [key]: value }
}
