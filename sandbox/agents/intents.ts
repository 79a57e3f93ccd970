/** The intents of an agent: their forms (received, stored and printed), and the operations on them. */
import { randomUUID } from 'node:crypto'
import { checkIntent } from './check.ts'
import { check, invalidArgument, notFound, StatusError } from './errors.ts'
import {
  followupsOf,
  type LocalizedFields,
  lowerContext,
  type Project,
  priorityOf,
  rootOf,
  type StoredIntent,
} from './project.ts'
import { applyMask, type Json, messagesIn, pathsFrom, printMessage, readMessage, stringsIn } from './proto.ts'

export interface IntentView {
  /** Whether training phrases are printed. */
  readonly full: boolean
  readonly languageCode: string
}

const outputOnly = ['name', 'rootFollowupIntentName', 'followupIntentInfo']
const spokenFields = ['trainingPhrases', 'messages']

function isOutputOnly(field: string): boolean {
  return outputOnly.includes(field)
}

export function withoutOutputOnly(intent: Json): Json {
  return Object.fromEntries(Object.entries(intent).filter(([key]) => !isOutputOnly(key)))
}

/**
 * The fields that are the same in all languages. Parameters get ids, and the last segment of context names becomes
 * lower case.
 */
function commonOf(intent: Json): Json {
  const common = Object.fromEntries(Object.entries(intent).filter(([key]) => !spokenFields.includes(key)))
  const contexts = messagesIn(common.outputContexts)
  return {
    ...common,
    parameters: messagesIn(common.parameters).map(withName),
    inputContextNames: stringsIn(common.inputContextNames).map(lowerContext),
    outputContexts: contexts.map((context) => ({ ...context, name: lowerContext(String(context.name)) })),
  }
}

function spokenOf({ trainingPhrases, messages }: Json): LocalizedFields {
  return { trainingPhrases, messages }
}

function withPhraseNames(intent: StoredIntent): StoredIntent {
  const localized = new Map(
    [...intent.localized].map(([language, one]): [string, LocalizedFields] => {
      return [language, { ...one, trainingPhrases: messagesIn(one.trainingPhrases).map(withName) }]
    }),
  )
  return { ...intent, localized }
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
  const { trainingPhrases = [], messages = [] } = intent.localized.get(languageCode) ?? {}
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

const maxIntents = 2000
const maxPageSize = 1000
const defaultPageSize = 100

export function listIntents(project: Project, view: IntentView, size: number, token: string): Json {
  check(size >= 0, 'page_size must not be negative.', 'page_size')
  const pageSize = Math.min(size === 0 ? defaultPageSize : size, maxPageSize)
  const after = token === '' ? 0 : orderFrom(token, project.id)
  const rest = [...project.intents.values()].filter(({ order }) => order > after)
  const page = rest.slice(0, pageSize)
  const last = page.at(-1)
  const hasMore = last !== undefined && rest.length > pageSize
  return {
    intents: page.length === 0 ? undefined : page.map((intent) => printIntent(project, intent, view)),
    nextPageToken: hasMore ? pageToken(last.order, project.id) : undefined,
  }
}

/** The intent with this id, which is the last segment of its name. */
export function intentOf(project: Project, intentId: string): StoredIntent {
  const intent = project.intents.get(`projects/${project.id}/agent/intents/${intentId}`)
  if (intent !== undefined) return intent
  throw notFound(`Intent with id '${intentId}' not found among intents in environment ''.`)
}

export function createIntent(project: Project, body: unknown, view: IntentView): Json {
  const given = readMessage('Intent', body, 'intent')
  check((given.name ?? '') === '', 'Intent name must be empty when an intent is created.', 'intent.name')
  if (project.intents.size >= maxIntents) {
    throw new StatusError(
      'FAILED_PRECONDITION',
      `The agent has ${maxIntents} intents, the most that it may have.`,
    )
  }
  checkIntent(project, given, undefined)
  const intent = putIntent(project, withoutOutputOnly(given), randomUUID())
  const stored = putLanguage(project, intent, spokenOf(given), view)
  return printIntent(project, stored, view)
}

/** Stores the fields of one language. A new intent then has none in the default language. */
function putLanguage(
  project: Project,
  intent: StoredIntent,
  localized: LocalizedFields,
  view: IntentView,
): StoredIntent {
  const languages = new Map(intent.localized)
  if (view.languageCode !== project.agent.defaultLanguageCode) {
    languages.set(String(project.agent.defaultLanguageCode), {})
  }
  languages.set(view.languageCode, localized)
  const stored = withPhraseNames({ ...intent, localized: languages })
  project.intents.set(stored.name, stored)
  return stored
}

export function patchIntent(
  project: Project,
  intent: StoredIntent,
  body: unknown,
  mask: string,
  view: IntentView,
): Json {
  const given = readMessage('Intent', body, 'intent')
  const { name = '' } = given
  const isSame = name === '' || name === intent.name
  check(isSame, `The intent's name '${String(name)}' is not the name in the path.`, 'intent.name')
  const paths = pathsFrom('Intent', mask).filter(([first = '']) => !isOutputOnly(first))
  const before: Json = { ...intent.common, ...intent.localized.get(view.languageCode) }
  // Without a mask all fields are replaced. Fields that the body lacks are cleared, including training phrases.
  const isWhole = mask.trim() === ''
  const changed = withoutOutputOnly(
    isWhole
      ? { parentFollowupIntentName: before.parentFollowupIntentName ?? '', ...given }
      : applyMask(before, given, paths),
  )
  checkIntent(project, changed, intent.name)
  const languages = new Map(intent.localized).set(view.languageCode, spokenOf(changed))
  const stored = withPhraseNames({ ...intent, common: commonOf(changed), localized: languages })
  project.intents.set(intent.name, stored)
  return printIntent(project, stored, view)
}

export function deleteIntent(project: Project, intent: StoredIntent): void {
  for (const { name } of [intent, ...followupsOf(project, intent.name)]) project.intents.delete(name)
}

/** Stores a checked intent in the default language of the agent. */
export function putIntent(project: Project, intent: Json, id: string): StoredIntent {
  const name = `projects/${project.id}/agent/intents/${id}`
  const language = String(project.agent.defaultLanguageCode)
  const stored = withPhraseNames({
    name,
    order: project.nextOrder++,
    common: commonOf(intent),
    localized: new Map([[language, spokenOf(intent)]]),
  })
  project.intents.set(name, stored)
  return stored
}

function pageToken(order: number, project: string): string {
  return Buffer.from(`${order}/${project}`).toString('base64url')
}

function orderFrom(token: string, project: string): number {
  const [, order, of] = /^([0-9]+)\/(.+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (order === undefined || of !== project || pageToken(Number(order), project) !== token) {
    throw invalidArgument('Invalid page token.', 'page_token')
  }
  return Number(order)
}
