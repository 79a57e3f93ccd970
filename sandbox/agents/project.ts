/** A project's agent as the conversational agent service keeps it, and how its intents hang together. */
import type { Json } from './proto.ts'

/** What of an intent is kept by language. */
export interface Spoken {
  readonly trainingPhrases?: unknown
  readonly messages?: unknown
}
export interface StoredIntent {
  readonly name: string
  /** Rises with every intent of the agent; what page tokens stand on. */
  readonly order: number
  /** Without what is in `spoken` and without what is computed. */
  readonly common: Json
  readonly spoken: ReadonlyMap<string, Spoken>
}
export interface Project {
  readonly id: string
  agent: Json
  readonly intents: Map<string, StoredIntent>
  nextOrder: number
}
/** `en-GB` is served by `en` where the agent knows only that. */
export function languageOf(agent: Json, languageCode: string): string {
  const known = [agent.defaultLanguageCode, ...((agent.supportedLanguageCodes as string[] | undefined) ?? [])]
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
