/** Checks agents and intents before they are stored. An error names the wrong field. */

import { invalidArgument } from './errors.ts'
import { followupsOf, type Project } from './project.ts'
import type { Json } from './proto.ts'

const maxPhrases = 2000

export function checkUri(uri: string): void {
  if (!/^gs:\/\/[a-z0-9][a-z0-9._-]+\/.+$/.test(uri)) {
    throw invalidArgument(`'${uri}' is not a Google Cloud Storage URI (gs://bucket/object).`, 'agent_uri')
  }
}

export function checkAgent(agent: Json, before: Json | undefined): void {
  for (const field of ['displayName', 'defaultLanguageCode', 'timeZone']) {
    if (agent[field] === undefined || agent[field] === '') {
      throw invalidArgument(`The agent's ${field} is required.`, `agent.${field}`)
    }
  }
  if (before !== undefined && agent.defaultLanguageCode !== before.defaultLanguageCode) {
    throw invalidArgument("The agent's default language cannot be changed.", 'agent.defaultLanguageCode')
  }
  const { supportedLanguageCodes = [], description = '', classificationThreshold = 0, timeZone } = agent
  if ((supportedLanguageCodes as unknown[]).includes(agent.defaultLanguageCode)) {
    throw invalidArgument(
      'supportedLanguageCodes must not repeat the default.',
      'agent.supportedLanguageCodes',
    )
  }
  if ([...String(description)].length > 500) {
    throw invalidArgument('The description has more than 500 characters.', 'agent.description')
  }
  if (
    typeof classificationThreshold !== 'number' ||
    classificationThreshold < 0 ||
    classificationThreshold > 1
  ) {
    throw invalidArgument(
      'classificationThreshold is not between 0.0 and 1.0.',
      'agent.classificationThreshold',
    )
  }
  try {
    new Intl.DateTimeFormat('en', { timeZone: String(timeZone) })
  } catch {
    throw invalidArgument(`'${String(timeZone)}' is not a time zone of the IANA database.`, 'agent.timeZone')
  }
}

export function checkIntent(project: Project, intent: Json, self: string | undefined): void {
  const {
    displayName,
    action,
    inputContextNames,
    outputContexts,
    events,
    parameters,
    trainingPhrases,
    messages,
  } = intent
  if (typeof displayName !== 'string' || displayName.trim() === '') {
    throw invalidArgument("The intent's display name is required.", 'intent.display_name')
  }
  for (const { name, common } of project.intents.values()) {
    if (name !== self && common.displayName === displayName) {
      throw invalidArgument(
        `Intent with the display name '${displayName}' already exists.`,
        'intent.display_name',
      )
    }
  }
  if (typeof action === 'string' && /\s/.test(action)) {
    throw invalidArgument('The action must not contain white space.', 'intent.action')
  }
  const contexts = [
    ...((inputContextNames as string[] | undefined) ?? []),
    ...((outputContexts as Json[] | undefined) ?? []).map(({ name }) => String(name ?? '')),
  ]
  for (const name of contexts) {
    const [, of, id = ''] =
      /^projects\/([^/]+)\/agent\/sessions\/-\/contexts\/([A-Za-z0-9_%-]+)$/.exec(name) ?? []
    if (of !== project.id || id.length > 250) {
      throw invalidArgument(
        `Context name '${name}' is not of the form 'projects/${project.id}/agent/sessions/-/contexts/<Context ID>'.`,
        'intent.contexts',
      )
    }
  }
  for (const event of (events as string[] | undefined) ?? []) {
    if ([...event].length > 150)
      throw invalidArgument('An event has more than 150 characters.', 'intent.events')
  }
  const declared = (parameters as Json[] | undefined) ?? []
  if (declared.length > 20) throw invalidArgument('An intent has at most 20 parameters.', 'intent.parameters')
  for (const parameter of declared) {
    if (typeof parameter.displayName !== 'string' || parameter.displayName === '') {
      throw invalidArgument("A parameter's display name is required.", 'intent.parameters.display_name')
    }
    const type = parameter.entityTypeDisplayName
    const isMissing = type === undefined || type === ''
    if (isMissing ? parameter.mandatory === true : !String(type).startsWith('@')) {
      throw invalidArgument(
        `Parameter '${parameter.displayName}' needs an entity type that begins with '@'.`,
        'intent.parameters.entity_type_display_name',
      )
    }
  }
  checkPhrases((trainingPhrases as Json[] | undefined) ?? [])
  for (const message of (messages as Json[] | undefined) ?? []) {
    if (Object.keys(message).every((key) => key === 'platform')) {
      throw invalidArgument('A message has exactly one content.', 'intent.messages')
    }
  }
  const parent = intent.parentFollowupIntentName
  if (typeof parent === 'string' && parent !== '') {
    const isInside = self !== undefined && followupsOf(project, self).some(({ name }) => name === parent)
    if (!project.intents.has(parent) || parent === self || isInside) {
      throw invalidArgument(
        `Parent follow-up intent '${parent}' not found.`,
        'intent.parent_followup_intent_name',
      )
    }
  }
}

function checkPhrases(phrases: readonly Json[]): void {
  if (phrases.length > maxPhrases) {
    throw invalidArgument(`An intent has at most ${maxPhrases} training phrases.`, 'intent.training_phrases')
  }
  for (const phrase of phrases) {
    const parts = (phrase.parts as Json[] | undefined) ?? []
    const isAnnotated = (part: Json) => part.entityType !== undefined && part.entityType !== ''
    if (parts.length === 0 || parts.every(({ text = '' }) => text === '')) {
      throw invalidArgument(
        'A training phrase has at least one part with text.',
        'intent.training_phrases.parts',
      )
    }
    const unnamed = parts.some(
      (part) => isAnnotated(part) && (!String(part.entityType).startsWith('@') || (part.alias ?? '') === ''),
    )
    if (unnamed) {
      throw invalidArgument(
        "An annotated part needs an entity type that begins with '@', and an alias.",
        'intent.training_phrases.parts',
      )
    }
  }
}
