/**
 * Reads the file and the environment into one input, checks it, and then the rules over several sections. Whatever is
 * wrong is named as it was given: a variable by its name, a setting of the file by its path and place.
 */
import { z } from 'zod'
import { valueAt } from '../../shared/json/value-at.ts'
import { readAs } from '../settings/index.ts'
import type { Config, ConfigResult } from './config.ts'
import { checkRules } from './consistency.ts'
import { defaults } from './defaults.ts'
import { valueFaults } from './faults.ts'
import { readConfigFile } from './file.ts'
import { trustedIssuersOf } from './issuers.ts'
import { type Settings, sections } from './sections.ts'
import { settingByVariable, settings } from './settings.ts'
import { isServiceLink, suggestionFor } from './suggestion.ts'
import { metricsFrom, tracesFrom } from './telemetry.ts'

type Env = Readonly<Record<string, string | undefined>>
type Path = readonly (string | number)[]

/**
 * HOST and PORT belong to many programs, and so does everything without our prefix: those are not checked. Neither is
 * `TESSERA_TEST_…`, which configures the tests, because they start our commands in their own environment. `TESSERA_URL`
 * is the address of a graph for client programs, and their users run our commands in the same shell.
 */
const isOurs = (name: string): boolean =>
  name.startsWith('TESSERA_') && !name.startsWith('TESSERA_TEST_') && !notOurs.has(name)
const notOurs: ReadonlySet<string> = new Set(['TESSERA_CONFIG', 'TESSERA_URL'])

/** An empty variable counts as absent. */
const givenIn = (env: Env): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => !!entry[1]))

/** The sections whose rules may insert variables of the environment by any name. */
const inserting = ['headers', 'coprocessor'] as const

export function readConfig(env: Env): ConfigResult {
  const faults: string[] = []
  const environment = givenIn(env)
  const unknown = Object.keys(environment).filter((name) => isOurs(name) && !settingByVariable.has(name))
  const links = unknown.filter((name) => isServiceLink(name, environment[name]))
  for (const name of unknown)
    if (!links.includes(name)) faults.push(`${name}: no such variable${suggestionFor(name)}`)
  if (links.length > 0) faults.push(serviceLinkFault(links))
  const { input, nameOf, placeOf } = inputFrom(environment, faults)
  const schema = schemaOf(input)
  // Compiling a schema takes longer than reading by it once.
  const parsed = schema.safeParse(input, { jitless: true })
  if (!parsed.success) {
    for (const { path, key, message } of valueFaults(schema, parsed.error.issues))
      faults.push(`${nameOf(path)}: ${message}${placeOf(path, key)}`)
    return { faults: [...new Set(faults)] }
  }
  const given: Record<string, unknown> = { ...defaults.values, ...parsed.data }
  const missing: MissingVariable[] = []
  for (const each of inserting) given[each] = withEnvironment(given[each], environment, missing, [each])
  for (const { path, name: variable } of missing)
    faults.push(`${nameOf(path)}: the environment has no variable ${variable}${placeOf(path)}`)
  const read = frozen(given) as Settings
  checkRules(read, (path) => nameOf(path.split('.')), faults)
  const trustedIssuers = trustedIssuersOf(read, (path) => nameOf(path.split('.')), faults)
  if (faults.length > 0) return { faults }
  const derived = { trustedIssuers, traces: tracesFrom(read), metrics: metricsFrom(read) }
  return { config: Object.freeze({ ...read, ...derived }) satisfies Config }
}

/** The schema of the sections that the input has; the others are as they are if nothing is set. */
const schemaOf = (input: Readonly<Record<string, unknown>>) =>
  z.strictObject(Object.fromEntries(Object.entries(sections).filter(([name]) => Object.hasOwn(input, name))))

/** What the file says, with what the environment says instead. */
function inputFrom(environment: Readonly<Record<string, string>>, faults: string[]) {
  const file = readConfigFile(environment.TESSERA_CONFIG, faults)
  const input: Record<string, unknown> = {}
  for (const name of Object.keys(sections))
    if (file.values[name] !== undefined) input[name] = structuredClone(file.values[name])
  /** The variables by which settings were given, by their paths; the rest has its place in the file. */
  const given = new Map<string, string>()
  for (const setting of settings) {
    const { path, env } = setting
    const nested = valueAt(input, path)
    const asKey = file.values[env]
    if (asKey !== undefined && nested !== undefined)
      faults.push(`${env}: given twice: as ${path.join('.')}, too${file.placeOf([env], true)}`)
    const value = environment[env] ?? (asKey === '' ? undefined : asKey)
    if (value !== undefined) given.set(path.join('.'), env)
    if (value !== undefined || nested !== undefined) put(input, path, readAs(setting.schema, value ?? nested))
  }
  /** The variable of a setting, and the path within its value. */
  const variableOf = (path: Path): readonly [string, ...Path] | undefined => {
    for (let end = path.length; end > 0; end--) {
      const name = given.get(path.slice(0, end).join('.'))
      if (name !== undefined) return [name, ...path.slice(end)]
    }
    return undefined
  }
  return {
    input,
    /** As it was given; a setting that was not is named by its variable. */
    nameOf(path: Path): string {
      const variable = variableOf(path)
      if (variable !== undefined) return writePath(variable)
      if (valueAt(file.values, path) !== undefined) return writePath(path)
      const setting = settings.find((each) => each.path.join('.') === path.join('.'))
      return setting === undefined || file.values[path[0] ?? ''] !== undefined ? writePath(path) : setting.env
    },
    placeOf(path: Path, isKey?: boolean): string {
      const at = variableOf(path) ?? path
      const [first = ''] = at
      return environment[first] !== undefined || file.values[first] === undefined
        ? ''
        : file.placeOf(at, isKey)
    },
  }
}

/** Puts a value at a path, and makes the objects on it. What the file has instead of an object stays, and is a fault. */
function put(input: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = input
  for (const step of path.slice(0, -1)) {
    at[step] ??= {}
    const next = at[step]
    if (typeof next !== 'object' || next === null || Array.isArray(next)) return
    at = next as Record<string, unknown>
  }
  at[path.at(-1) ?? ''] = value
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  for (const each of Object.values(value)) frozen(each)
  return Object.freeze(value)
}

/** `traffic.subgraphs.products.timeoutMs`, `headers.all.request[2].name`. */
const writePath = (path: Path): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('')

/** One fault for all of them: Kubernetes sets seven for each Service. */
function serviceLinkFault(names: readonly string[]): string {
  const [first = '', ...others] = names
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${first}${more}: not variables of Tessera; Kubernetes sets them for a Service of that name: set \`enableServiceLinks: false\` in the pod's spec`
}

interface MissingVariable {
  readonly path: Path
  readonly name: string
}

/**
 * The same section with the values of `environment: NAME` wherever it has one: as `value` instead of it. Each variable
 * that is not set is added to `missing`.
 */
function withEnvironment(section: unknown, env: Env, missing: MissingVariable[], path: Path = []): unknown {
  if (Array.isArray(section))
    return section.map((item, at) => withEnvironment(item, env, missing, [...path, at]))
  if (typeof section !== 'object' || section === null) return section
  const made: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(section)) {
    if (key !== 'environment' || typeof value !== 'string') {
      made[key] = withEnvironment(value, env, missing, [...path, key])
      continue
    }
    const found = env[value]
    if (found === undefined || found === '') missing.push({ path: [...path, key], name: value })
    else made.value = found
  }
  return made
}
