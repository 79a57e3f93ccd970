/** The services behind the graph: their addresses, how they are called, and the settings of each. */
import { z } from 'zod'
import {
  type ServiceName,
  type SettingVariable,
  serviceNamed,
  serviceNames,
  subgraphNames,
} from '../../../subgraphs/index.ts'
import type { Setting } from '../../../subgraphs/kit/service.ts'
import { credential, httpUrl, seconds } from '../fields.ts'

/** The variable of a service or subgraph: `TESSERA_VIDEOS_URL`. */
export type VariableOf<Name extends string, End extends string> = `TESSERA_${Uppercase<Name>}_${End}`

export function variableOf<Name extends string, End extends string>(
  name: Name,
  end: End,
): VariableOf<Name, End> {
  return `TESSERA_${name.toUpperCase() as Uppercase<Name>}_${end}`
}

function forEachName<Name extends string, End extends string, Field>(
  names: readonly Name[],
  end: End,
  make: (name: Name) => Field,
): Readonly<Record<VariableOf<Name, End>, Field>> {
  const fields = names.map((name) => [variableOf(name, end), make(name)] as const)
  return Object.fromEntries(fields) as Record<VariableOf<Name, End>, Field>
}

const titleOf = (name: ServiceName): string => serviceNamed(name).title

/** The variable for a setting of a service, named by the lower-case end: `namespace`. */
export function settingVariable(service: string, setting: string): string {
  return variableOf(service, setting.toUpperCase())
}

function settingField({ default: usual, expected, description, values, form }: Setting) {
  const error = `expected ${expected}`
  const field = values === undefined ? z.string().regex(form ?? /^/, error) : z.enum(values, { error })
  return field.default(usual).describe(description)
}

function settingsOf(name: ServiceName) {
  return Object.entries(serviceNamed(name).settings).map(
    ([setting, about]) => [settingVariable(name, setting), settingField(about)] as const,
  )
}

export const servicesVariables = {
  ...forEachName(serviceNames, 'URL', (name) =>
    httpUrl.optional().describe(`Base URL of ${titleOf(name)}; the sandbox without it.`),
  ),
  ...forEachName(serviceNames, 'CREDENTIAL', (name) =>
    credential(name)
      .default({ kind: 'none' })
      .describe(`How ${titleOf(name)} is called.`),
  ),
  ...forEachName(serviceNames, 'LIVE_EVERY_SECONDS', (name) =>
    seconds(1, 86_400)
      .optional()
      .describe(
        `How often subscriptions ask ${titleOf(name)} for changes if no client wishes otherwise; each field has its own interval without it.`,
      ),
  ),
  ...(Object.fromEntries(serviceNames.flatMap(settingsOf)) as Record<
    SettingVariable,
    ReturnType<typeof settingField>
  >),
} as const

/** The addresses of subgraphs in other processes. */
export const subgraphAddresses = forEachName(subgraphNames, 'SUBGRAPH_URL', (name) =>
  httpUrl.optional().describe(`Use this remote ${name} subgraph.`),
)
