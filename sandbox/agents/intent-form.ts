/** The forms of an intent: received, stored and printed. */
import { randomUUID } from 'node:crypto'
import { followupsOf, lowerContext, type Project, rootOf, type Spoken, type StoredIntent } from './project.ts'
import { type Json, printMessage } from './proto.ts'

export interface IntentView {
  /** Whether training phrases are printed. */
  readonly full: boolean
  readonly languageCode: string
}

const outputOnly = new Set(['name', 'rootFollowupIntentName', 'followupIntentInfo'])
const spokenFields = ['trainingPhrases', 'messages']

export function isOutputOnly(field: string): boolean {
  return outputOnly.has(field)
}

export function withoutOutputOnly(intent: Json): Json {
  return Object.fromEntries(Object.entries(intent).filter(([key]) => !isOutputOnly(key)))
}

/** The fields that are the same in all languages, with ids and context names as the service stores them. */
export function commonOf(intent: Json): Json {
  return named(Object.fromEntries(Object.entries(intent).filter(([key]) => !spokenFields.includes(key))))
}

/** The fields that differ by language. */
export function spokenOf(intent: Json): Spoken {
  const { trainingPhrases, messages } = intent
  return {
    ...(trainingPhrases === undefined ? {} : { trainingPhrases }),
    ...(messages === undefined ? {} : { messages }),
  }
}

/** Gives ids to the training phrases that have none. */
export function withPhraseNames(intent: StoredIntent): StoredIntent {
  const spoken = new Map(
    [...intent.spoken].map(([language, one]): [string, Spoken] => {
      const phrases = one.trainingPhrases as Json[] | undefined
      return [language, phrases === undefined ? one : { ...one, trainingPhrases: phrases.map(withName) }]
    }),
  )
  return { ...intent, spoken }
}

function withName(item: Json): Json {
  return item.name === undefined || item.name === '' ? { ...item, name: randomUUID() } : item
}

/** Gives ids to parameters, and makes the last segment of context names lower case. */
function named(common: Json): Json {
  const { parameters, outputContexts, inputContextNames } = common
  return {
    ...common,
    ...(parameters === undefined ? {} : { parameters: (parameters as Json[]).map(withName) }),
    ...(inputContextNames === undefined
      ? {}
      : { inputContextNames: (inputContextNames as string[]).map(lowerContext) }),
    ...(outputContexts === undefined
      ? {}
      : {
          outputContexts: (outputContexts as Json[]).map((context) => ({
            ...context,
            name: lowerContext(String(context.name)),
          })),
        }),
  }
}

export function printIntent(
  project: Project,
  intent: StoredIntent,
  { full, languageCode }: IntentView,
): Json {
  const parent = intent.common.parentFollowupIntentName
  const followups = followupsOf(project, intent.name).map(({ name, common }) => ({
    followupIntentName: name,
    parentFollowupIntentName: common.parentFollowupIntentName,
  }))
  const { trainingPhrases = [], messages = [] } = intent.spoken.get(languageCode) ?? {}
  return printMessage('Intent', {
    ...intent.common,
    name: intent.name,
    priority:
      intent.common.priority === undefined || intent.common.priority === 0 ? 500_000 : intent.common.priority,
    messages,
    followupIntentInfo: followups,
    ...(full ? { trainingPhrases } : {}),
    ...(parent === undefined || parent === ''
      ? {}
      : { rootFollowupIntentName: rootOf(project, intent.name) }),
  })
}
