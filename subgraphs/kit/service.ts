/**
 * The description of a service, which is its one line in the list of services (`subgraphs/index.ts`). The gateway's
 * configuration, `tessera check`, credentials, estimates, health and the subgraph command follow from it.
 */
import type { ReadQuota } from '../../shared/quota.ts'
import type { ServiceCalls } from '../../shared/service-calls.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import type { ServiceOptions } from './subgraph.ts'

/** A variable that only this service has: `namespace` of `videos` is `TESSERA_VIDEOS_NAMESPACE`. */
export interface Setting<Value extends string = string> {
  readonly default: Value
  /** Its line in docs/configuration.md. */
  readonly description: string
  /** Completes "expected" in the message about any other value. */
  readonly expected: string
  /** The allowed values, if there are only a few. */
  readonly values?: readonly Value[] | undefined
  /** The form of the values, if there are many. */
  readonly form?: RegExp | undefined
}

/** A setting whose value is one of a few words. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  about: Pick<Setting<Value>, 'default' | 'description'>,
): Setting<Value> {
  return { ...about, expected: values.join(' or '), values }
}

/** A setting whose value has a form. */
export function ofForm(form: RegExp, about: Pick<Setting, 'default' | 'description' | 'expected'>): Setting {
  return { ...about, form }
}

/** The settings of a service, by the lower-case end of their variables. */
export type Settings = Readonly<Record<string, Setting>>

/** The value of each setting, by its name. */
export type SettingValues<Own extends Settings> = {
  readonly [Name in keyof Own]: Own[Name] extends Setting<infer Value> ? Value : never
}

/** What the process around a subgraph offers it. */
export interface SubgraphHost {
  /** The address at which clients reach this process, without a path. It is called whenever an address is made. */
  publicUrl(): string
  /** Encrypts addresses that are given to clients. All replicas have the same secret of at least 32 characters. */
  readonly secret: string
  /** Reads how many units the calls of the metered service have spent. */
  readonly readQuota: ReadQuota
  /** Prices in units that differ from those of the operations, by the operation's name. */
  readonly prices: Readonly<Record<string, number>>
}

/** The operations that `tessera check` executes. They read little and change nothing. */
export interface Probe {
  /** What `operation` asks for, such as 'a video of the chart'. */
  readonly what: string
  /** The operation that shows whether the service answers. */
  readonly operation: string
  /** The response keys that lead to the service's version, if it has one. */
  readonly versionAt?: readonly string[] | undefined
  /** An operation that selects a field with a required scope. The default is `operation`. */
  readonly scoped?: string | undefined
}

interface ServiceFacts<Name extends string, Own extends Settings> {
  /** The name of the service and of its subgraph, also part of its variables. It is in lower-case letters. */
  readonly name: Name
  /** How messages call it, such as 'the video service'. */
  readonly title: string
  /** The default port of its subgraph when that runs by itself. */
  readonly port: number
  /** Its own variables, by the lower-case end of their names. */
  readonly settings: Own
  /** What its fields cost in calls. */
  readonly calls: ServiceCalls
  /** Types that `node` finds by their global id, each with the form of the key in the id. */
  readonly nodeKeys: Readonly<Record<string, RegExp>>
  /** What `tessera check` executes. */
  readonly probe: Probe
  /** Whether it has units, which the budgets count. At most one service does. */
  readonly isMetered?: boolean | undefined
  /** Whether its reads may be answered from the cache, if one is configured. */
  readonly isCached?: boolean | undefined
  /** Whether its subgraph accepts uploads. At most one service does. */
  readonly takesUploads?: boolean | undefined
}

/** All that the rest of the product knows about a service. `describeService` makes one. */
export interface ServiceDescription<Name extends string = string, Own extends Settings = Settings>
  extends ServiceFacts<Name, Own> {
  /** `settings` are strings. A missing one has its default. Throws an Error if one is wrong. */
  create(options: ServiceOptions, settings: Readonly<Record<string, string>>, host: SubgraphHost): Subgraph
}

/** Makes the description of a service. `create` gets the settings in their own types. */
export function describeService<const Name extends string, const Own extends Settings>(
  facts: ServiceFacts<Name, Own> & {
    create(options: ServiceOptions, settings: SettingValues<Own>, host: SubgraphHost): Subgraph
  },
): ServiceDescription<Name, Own> {
  return {
    ...facts,
    create: (options, settings, host) =>
      facts.create(options, valuesOf(facts.name, facts.settings, settings), host),
  }
}

function valuesOf<Own extends Settings>(
  service: string,
  settings: Own,
  given: Readonly<Record<string, string>>,
): SettingValues<Own> {
  const values = Object.entries(settings).map(([name, setting]) => {
    const text = given[name] ?? setting.default
    const isKnown = setting.values === undefined || setting.values.includes(text)
    if (isKnown && setting.form?.test(text) !== false) return [name, text] as const
    throw new Error(`the setting ${name} of ${service} must be ${setting.expected}`)
  })
  return Object.fromEntries(values) as SettingValues<Own>
}
