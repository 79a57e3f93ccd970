/**
 * The list of services, which is all that the gateway sees of them. Each service describes its name, its variables,
 * how it is checked and what its fields cost. To add a service, add one line here and one in codegen.ts.
 */
import type { ServiceCalls } from '../shared/service-calls.ts'
import type { Subgraph } from '../shared/subgraph.ts'
import { agents } from './agents/index.ts'
import type { ServiceDescription, SubgraphHost } from './kit/service.ts'
import { readSchemaFile, type ServiceOptions } from './kit/subgraph.ts'
import { messages } from './messages/index.ts'
import { metrics } from './metrics/index.ts'
import { createNodesSubgraph, withStubs } from './nodes/index.ts'
import { videos } from './videos/index.ts'

/** The services that are called over REST. */
export const services = [videos, agents, messages, metrics] as const

type Service = (typeof services)[number]

/** The name of a service and of its subgraph. */
export type ServiceName = Service['name']
/** The names of the services, in their order. */
export const serviceNames: readonly ServiceName[] = services.map(({ name }) => name)

/** The subgraph without a service. It finds objects of all the others by their global ids. */
const nodes = { name: 'nodes', port: 4005 } as const

/** The name of a subgraph: of a service, or `nodes`. */
export type SubgraphName = ServiceName | (typeof nodes)['name']
/** All subgraphs: those of the services in order, then `nodes`. */
export const subgraphNames: readonly SubgraphName[] = [...serviceNames, nodes.name]

/** What the fields of each service cost in calls. */
export const serviceCalls: readonly ServiceCalls[] = services.map(({ calls }) => calls)

/** The service that has units. */
export const meteredService: ServiceName = theOnly('isMetered')

/** The service whose subgraph accepts uploads. */
export const uploadService: ServiceName = theOnly('takesUploads')

/** The types that `node` finds, each with the form of the key in a global id. */
export const nodeKeys: ReadonlyMap<string, RegExp> = new Map(
  services.flatMap((service) => Object.entries(service.nodeKeys)).sort(([a], [b]) => (a < b ? -1 : 1)),
)

/** The text of schema/nodes.graphql, with a stub for each type that `node` finds. */
export function nodesSdl(): string {
  return withStubs(readSchemaFile(nodes.name), nodeKeys.keys())
}

/**
 * The name of the service with this trait. One service at most may have it, because budgets and the address of
 * uploads exist once.
 */
function theOnly(trait: 'isMetered' | 'takesUploads'): ServiceName {
  const [first, ...others] = services.filter((service: ServiceDescription) => service[trait] === true)
  if (first !== undefined && others.length === 0) return first.name
  throw new Error(`exactly one service must have ${trait}`)
}

/** One value for each service, by its name. */
export function forEachService<Value>(
  make: (name: ServiceName) => Value,
): Readonly<Record<ServiceName, Value>> {
  return Object.fromEntries(serviceNames.map((name) => [name, make(name)])) as Record<ServiceName, Value>
}

/** The description of a service, in the common type of all descriptions. */
export function serviceNamed(name: ServiceName): ServiceDescription<ServiceName> {
  const found = services.find((service) => service.name === name)
  if (found === undefined) throw new Error(`there is no service ${name}`)
  return found
}

/** The options of our own subgraphs. */
export interface SubgraphsOptions {
  /** The options of each service. */
  readonly services: Readonly<Record<ServiceName, ServiceOptions>>
  /** The values of the services' own settings, as strings. A missing one has its default. */
  readonly settings?: Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>> | undefined
  /** The most ids of one list, for the subgraph without a service. */
  readonly maxIds?: number | undefined
  readonly host: SubgraphHost
}

/** Makes one of our own subgraphs. Throws if an option or a setting of its service is wrong. */
export function createSubgraphByName(name: SubgraphName, options: SubgraphsOptions): Subgraph {
  if (name === nodes.name) return createNodesSubgraph({ keys: nodeKeys, maxIds: options.maxIds })
  return serviceNamed(name).create(options.services[name], options.settings?.[name] ?? {}, options.host)
}

/** The default port of a subgraph that runs by itself. */
export function defaultSubgraphPort(name: SubgraphName): number {
  return name === nodes.name ? nodes.port : serviceNamed(name).port
}
