/** Checks agents and intents before they are stored. An error names the wrong field. */

import { check } from './errors.ts'
import { followupsOf, type Project } from './project.ts'
import { type Json, messagesIn, stringsIn } from './proto.ts'

const maxPhrases = 2000

function isMissing(value: unknown): boolean {
  return value === undefined || value === ''
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export function checkUri(uri: string): void {
  const isUri = /^gs:\/\/[a-z0-9][a-z0-9._-]+\/.+$/.test(uri)
  check(isUri, `'${uri}' is not a Google Cloud Storage URI (gs://bucket/object).`, 'agent_uri')
}

export function checkAgent(agent: Json, before: Json | undefined): void {
  for (const field of ['displayName', 'defaultLanguageCode', 'timeZone']) {
    check(!isMissing(agent[field]), `The agent's ${field} is required.`, `agent.${field}`)
  }
  const { defaultLanguageCode, description = '', classificationThreshold = 0 } = agent
  check(
    before === undefined || defaultLanguageCode === before.defaultLanguageCode,
    "The agent's default language cannot be changed.",
    'agent.defaultLanguageCode',
  )
  check(
    !stringsIn(agent.supportedLanguageCodes).some((code) => code === defaultLanguageCode),
    'supportedLanguageCodes must not repeat the default.',
    'agent.supportedLanguageCodes',
  )
  const isShort = [...String(description)].length <= 500
  check(isShort, 'The description has more than 500 characters.', 'agent.description')
  check(
    typeof classificationThreshold === 'number' &&
      classificationThreshold >= 0 &&
      classificationThreshold <= 1,
    'classificationThreshold is not between 0.0 and 1.0.',
    'agent.classificationThreshold',
  )
  const timeZone = String(agent.timeZone)
  check(isTimeZone(timeZone), `'${timeZone}' is not a time zone of the IANA database.`, 'agent.timeZone')
}

export function checkIntent(project: Project, intent: Json, self: string | undefined): void {
  const { displayName, action } = intent
  check(
    typeof displayName === 'string' && displayName.trim() !== '',
    "The intent's display name is required.",
    'intent.display_name',
  )
  const isTaken = [...project.intents.values()].some(
    ({ name, common }) => name !== self && common.displayName === displayName,
  )
  check(!isTaken, `Intent with the display name '${displayName}' already exists.`, 'intent.display_name')
  check(!/\s/.test(String(action ?? '')), 'The action must not contain white space.', 'intent.action')
  const contexts = [
    ...stringsIn(intent.inputContextNames),
    ...messagesIn(intent.outputContexts).map(({ name }) => String(name ?? '')),
  ]
  for (const name of contexts) {
    const [, of, id = ''] =
      /^projects\/([^/]+)\/agent\/sessions\/-\/contexts\/([A-Za-z0-9_%-]+)$/.exec(name) ?? []
    check(
      of === project.id && id.length <= 250,
      `Context name '${name}' is not of the form 'projects/${project.id}/agent/sessions/-/contexts/<Context ID>'.`,
      'intent.contexts',
    )
  }
  for (const event of stringsIn(intent.events)) {
    check([...event].length <= 150, 'An event has more than 150 characters.', 'intent.events')
  }
  const parameters = messagesIn(intent.parameters)
  check(parameters.length <= 20, 'An intent has at most 20 parameters.', 'intent.parameters')
  for (const { displayName: name, entityTypeDisplayName: type, mandatory } of parameters) {
    check(!isMissing(name), "A parameter's display name is required.", 'intent.parameters.display_name')
    check(
      isMissing(type) ? mandatory !== true : String(type).startsWith('@'),
      `Parameter '${String(name)}' needs an entity type that begins with '@'.`,
      'intent.parameters.entity_type_display_name',
    )
  }
  checkPhrases(messagesIn(intent.trainingPhrases))
  for (const message of messagesIn(intent.messages)) {
    const hasContent = Object.keys(message).some((key) => key !== 'platform')
    check(hasContent, 'A message has exactly one content.', 'intent.messages')
  }
  const parent = intent.parentFollowupIntentName
  if (typeof parent === 'string' && parent !== '') {
    const isInside = self !== undefined && followupsOf(project, self).some(({ name }) => name === parent)
    check(
      project.intents.has(parent) && parent !== self && !isInside,
      `Parent follow-up intent '${parent}' not found.`,
      'intent.parent_followup_intent_name',
    )
  }
}

function checkPhrases(phrases: readonly Json[]): void {
  check(
    phrases.length <= maxPhrases,
    `An intent has at most ${maxPhrases} training phrases.`,
    'intent.training_phrases',
  )
  for (const phrase of phrases) {
    const parts = messagesIn(phrase.parts)
    check(
      parts.some(({ text = '' }) => text !== ''),
      'A training phrase has at least one part with text.',
      'intent.training_phrases.parts',
    )
    const annotated = parts.filter(({ entityType }) => !isMissing(entityType))
    check(
      annotated.every(({ entityType, alias }) => String(entityType).startsWith('@') && !isMissing(alias)),
      "An annotated part needs an entity type that begins with '@', and an alias.",
      'intent.training_phrases.parts',
    )
  }
}
