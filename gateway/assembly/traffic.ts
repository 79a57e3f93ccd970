/** How one remote subgraph is reached, as the configuration says: what is said of it, or else of all. */
import type { Config, Sections } from '../config/index.ts'

type Traffic = NonNullable<NonNullable<Sections['traffic']['subgraphs']>[string]>

export function trafficOf({ sections }: Config, name: string): Traffic {
  const { all, subgraphs = {} } = sections.traffic
  const own = Object.hasOwn(subgraphs, name) ? subgraphs[name] : undefined
  return { ...all, ...own }
}
