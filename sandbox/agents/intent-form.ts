/** The forms of an intent: received, stored and printed. */
import { randomUUID } from 'node:crypto'
import {
  followupsOf,
  lowerContext,
  type Project,
  priorityOf,
  rootOf,
  type Spoken,
  type StoredIntent,
} from './project.ts'
import { type Json, messagesIn, printMessage, stringsIn } from './proto.ts'

export interface IntentView {
  /** Whether training phrases are printed. */
  readonly full: boolean
  readonly languageCode: string
}

const outputOnly = ['name', 'rootFollowupIntentName', 'followupIntentInfo']
const spokenFields = ['trainingPhrases', 'messages']

export function isOutputOnly(field: string): boolean {
  return outputOnly.includes(field)
}

export function withoutOutputOnly(intent: Json): Json {
  return Object.fromEntries(Object.entries(intent).filter(([key]) => !isOutputOnly(key)))
}

/**
 * The fields that are the same in all languages. Parameters get ids, and the last segment of context names becomes
 * lower case.
 */
export function commonOf(intent: Json): Json {
  const common = Object.fromEntries(Object.entries(intent).filter(([key]) => !spokenFields.includes(key)))
  const contexts = messagesIn(common.outputContexts)
  return {
    ...common,
    parameters: messagesIn(common.parameters).map(withName),
    inputContextNames: stringsIn(common.inputContextNames).map(lowerContext),
    outputContexts: contexts.map((context) => ({ ...context, name: lowerContext(String(context.name)) })),
  }
}

/** The fields that differ by language. */
export function spokenOf({ trainingPhrases, messages }: Json): Spoken {
  return { trainingPhrases, messages }
}

/** Gives ids to the training phrases that have none. */
export function withPhraseNames(intent: StoredIntent): StoredIntent {
  const spoken = new Map(
    [...intent.spoken].map(([language, one]): [string, Spoken] => {
      return [language, { ...one, trainingPhrases: messagesIn(one.trainingPhrases).map(withName) }]
    }),
  )
  return { ...intent, spoken }
}

function withName(item: Json): Json {
  return item.name === undefined || item.name === '' ? { ...item, name: randomUUID() } : item
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
    priority: priorityOf(intent),
    messages,
    followupIntentInfo: followups,
    trainingPhrases: full ? trainingPhrases : [],
    rootFollowupIntentName: (parent ?? '') === '' ? undefined : rootOf(project, intent.name),
  })
}
