/**
 * The description of a service: its one line in the roll (`subgraphs/index.ts`). The gateway's configuration,
 * `tessera check`, credentials, estimates, health and the command of the subgraph follow from it.
 */
import type { ReadQuota } from '../../shared/quota.ts'
import type { ServiceCalls } from '../../shared/service-calls.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import type { ServiceOptions } from './subgraph.ts'

/** One variable of a service's own: `namespace` of `videos` is `TESSERA_VIDEOS_NAMESPACE`. */
export interface Setting<Value extends string = string> {
  readonly default: Value
  /** Its line in docs/configuration.md. */
  readonly description: string
  /** Follows "expected" in the message about any other text. */
  readonly expected: string
  /** Its values, if there are only a few. */
  readonly values?: readonly Value[] | undefined
  /** The form of its values, if there are many. */
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
  /** Where clients reach this process, without a path; called when an address is made. */
  publicUrl(): string
  /** Seals addresses that are handed to clients: the same in all replicas, at least 32 characters. */
  readonly secret: string
  /** What the calls of the metered service have spent. */
  readonly readQuota: ReadQuota
  /** Prices that differ from those of the operations, in units, by the operation's name. */
  readonly prices: Readonly<Record<string, number>>
}

/** What `tessera check` executes: operations that read little and change nothing. */
export interface Probe {
  /** What `operation` asks for, in words: 'a video of the chart'. */
  readonly what: string
  /** Shows whether the service answers. */
  readonly operation: string
  /** The response keys that lead to the service's version, if it gives one. */
  readonly versionAt?: readonly string[] | undefined
  /** Selects a field that requires a scope; `operation` by default. */
  readonly scoped?: string | undefined
}

interface ServiceFacts<Name extends string, Own extends Settings> {
  /** The name of the service, of its subgraph, and in its variables: lower-case letters. */
  readonly name: Name
  /** What sentences call it: 'the video service'. */
  readonly title: string
  /** Where its subgraph listens when it is served by itself and no port is given. */
  readonly port: number
  /** Variables of its own, by the lower-case end of their names. */
  readonly settings: Own
  /** What its fields cost in calls. */
  readonly calls: ServiceCalls
  /** Types that `node` finds by their global id, each with the form of the key that the id holds. */
  readonly nodeKeys: Readonly<Record<string, RegExp>>
  /** What `tessera check` executes. */
  readonly probe: Probe
  /** Whether it sells units, which the budgets count. One service at most does. */
  readonly isMetered?: boolean | undefined
  /** Whether its reads may be answered from the cache, if one is configured. */
  readonly isCached?: boolean | undefined
  /** Whether its subgraph takes uploads. One service at most does. */
  readonly takesUploads?: boolean | undefined
}

/** All that is known of a service outside of its folder. `describeService` makes one. */
export interface ServiceDescription<Name extends string = string, Own extends Settings = Settings>
  extends ServiceFacts<Name, Own> {
  /** `settings` are texts; one that is left out has its default. Throws an Error if one is wrong. */
  create(options: ServiceOptions, settings: Readonly<Record<string, string>>, host: SubgraphHost): Subgraph
}

/** Makes a description of what is known of a service. `create` gets the settings in their own types. */
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
