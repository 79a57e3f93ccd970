/** The stored agent of a project, and the tree of its intents and their follow-ups. */
import { type Json, stringsIn } from './proto.ts'

/** The fields of an intent that differ by language. */
export interface LocalizedFields {
  readonly trainingPhrases?: unknown
  readonly messages?: unknown
}
export interface StoredIntent {
  readonly name: string
  /** Increases with every intent of the agent. Page tokens contain it. */
  readonly order: number
  /** Excludes the fields in `localized` and computed fields. */
  readonly common: Json
  readonly localized: ReadonlyMap<string, LocalizedFields>
}
export interface Project {
  readonly id: string
  agent: Json
  readonly intents: Map<string, StoredIntent>
  nextOrder: number
}

/** Unset or zero means the default. */
export function priorityOf({ common }: StoredIntent): number {
  const { priority } = common
  return typeof priority === 'number' && priority !== 0 ? priority : 500_000
}

/** The agent's language for a code: `en-GB` means `en` if the agent has only that. */
export function languageOf(agent: Json, languageCode: string): string {
  const known = [agent.defaultLanguageCode, ...stringsIn(agent.supportedLanguageCodes)]
  if (known.includes(languageCode)) return languageCode
  const [root = languageCode] = languageCode.split('-')
  return known.includes(root) ? root : languageCode
}

export function lowerContext(name: string): string {
  const slash = name.lastIndexOf('/') + 1
  return name.slice(0, slash) + name.slice(slash).toLowerCase()
}

export function followupsOf(project: Project, name: string): StoredIntent[] {
  const children = [...project.intents.values()].filter(
    ({ common }) => common.parentFollowupIntentName === name,
  )
  return children.flatMap((child) => [child, ...followupsOf(project, child.name)])
}

export function rootOf(project: Project, name: string): string {
  const parent = project.intents.get(name)?.common.parentFollowupIntentName
  return typeof parent === 'string' && parent !== '' ? rootOf(project, parent) : name
}
