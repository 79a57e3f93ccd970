/**
 * Tables by type and field: what the service refuses in an input, and which of our own forms it does not know.
 *
 * Each rule returns the value in the service's form, or throws an error that names the input field and what was
 * expected. Objects are plain JSON here, without GraphQL.
 */
import { isObject, type Json, tableOf } from '../../kit/json.ts'
import { wrongArgument } from '../../kit/wrong-argument.ts'
import { checkIntentName, contextName, projectName } from '../resource-names.ts'

/** What the rules need to know of the call that an input belongs to. */
export interface InputScope {
  /** The full name of the session, for contexts that are given by their ids. */
  readonly session: string
  readonly project: string
  readonly ofIntent: boolean
}

/** The value in the service's form. */
type Rule = (value: unknown, at: string, scope: InputScope) => unknown

function refuse(at: string, expected: string, verb: 'be' | 'have' = 'be'): never {
  throw wrongArgument(at, `must ${verb} ${expected}.`)
}

const characters =
  (most: number, least = 0): Rule =>
  (value, at) => {
    const length = [...String(value)].length
    if (length > most || length < least) {
      refuse(at, `${least === 0 ? 'up to' : `${least} to`} ${most} characters; it has ${length}`)
    }
    return value
  }

const filled =
  (one: string): Rule =>
  (value, at) =>
    (value as string | readonly unknown[]).length > 0 ? value : refuse(at, `at least one ${one}`, 'have')

const bytes =
  (most: number): Rule =>
  (value, at) => {
    const length = Buffer.byteLength(String(value), 'utf8')
    return length <= most ? value : refuse(at, `up to ${most} bytes; it has ${length}`)
  }

const between =
  (least: number, most: number): Rule =>
  (value, at) =>
    Number(value) >= least && Number(value) <= most
      ? value
      : refuse(at, `a number from ${least} to ${most}; it is ${String(value)}`)

const entries =
  (least: number, most: number): Rule =>
  (value, at) => {
    const count = Array.isArray(value) ? value.length : 0
    return count >= least && count <= most
      ? value
      : refuse(at, `a list of ${least} to ${most}; it has ${count}`)
  }

const each =
  (rule: Rule): Rule =>
  (value, at, scope) =>
    Array.isArray(value) ? value.map((item, index) => rule(item, `${at}[${index}]`, scope)) : value

const matching =
  (form: RegExp, expected: string): Rule =>
  (value, at) =>
    form.test(String(value)) ? value : refuse(at, expected)

export const languageForm = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/

const language = matching(languageForm, 'a BCP 47 tag, such as `en` or `pt-BR`')
const storageObject = matching(/^gs:\/\/[^/]+\/.+/, 'a storage object, `gs://bucket/object`')
const entityType = matching(/^@\S/, "an entity type's name with its `@`, such as `@sys.date`")
const seconds = matching(/^\d+(?:\.\d{1,9})?s$/, 'seconds with an `s`, such as `3.5s`')
const base64 = matching(/^[A-Za-z0-9+/_-]+={0,2}$/, 'base64 without spaces, and not empty')

const timeZone: Rule = (value, at) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: String(value) })
    return value
  } catch {
    return refuse(at, 'the IANA name of a time zone, such as `Europe/Paris`')
  }
}

const struct: Rule = (value, at) => (isObject(value) ? value : refuse(at, 'a JSON object'))

const context: Rule = (value, at, scope) => contextName(String(value), scope.session, at)

const sessionEntityType: Rule = (value, at, scope) => {
  const name = String(value)
  if (/^[^/\p{Cc}]+$/u.test(name)) return `${scope.session}/entityTypes/${name}`
  return name.startsWith(`${scope.session}/entityTypes/`)
    ? name
    : refuse(at, "an entity type's name, or its full name in the same session")
}

const headers: Rule = (value, at) => {
  const map = new Map<string, string>()
  for (const [index, header] of (value as { name: string; value: string }[]).entries()) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(header.name)) refuse(`${at}[${index}].name`, "a header's name")
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(header.value)) refuse(`${at}[${index}].value`, 'one line of text')
    map.set(header.name, header.value)
  }
  return Object.fromEntries(map)
}

/** By `Type.field`, or by the field's name alone if it means the same everywhere. */
export const fieldRules = tableOf<Rule>({
  languageCode: language,
  'SetAgentInput.displayName': filled('character'),
  'SetAgentInput.defaultLanguageCode': language,
  'SetAgentInput.supportedLanguageCodes': each(language),
  'SetAgentInput.description': characters(500),
  'SetAgentInput.classificationThreshold': between(0, 1),
  timeZone,
  agentUri: storageObject,
  agentContent: base64,
  inputAudio: base64,
  'CreateIntentInput.displayName': filled('character'),
  'UpdateIntentInput.displayName': filled('character'),
  inputContextNames: each(context),
  events: each(characters(150, 1)),
  action: (value: unknown, at: string) =>
    typeof value === 'string' && /\s/.test(value) ? refuse(at, 'free of white space') : value,
  parentFollowupIntentName: (value: unknown, at: string, scope: InputScope) =>
    checkIntentName(String(value), at) === scope.project
      ? value
      : refuse(at, "an intent of the same project's agent"),
  'AgentContextInput.name': context,
  'AgentContextInput.lifespanCount': between(0, 2 ** 31 - 1),
  'AgentContextInput.parameters': (value: unknown, at: string, scope: InputScope) =>
    scope.ofIntent
      ? refuse(at, 'left out: contexts of an intent have no parameters')
      : struct(value, at, scope),
  'IntentMessageInput.payload': struct,
  'TrainingPhraseInput.parts': filled('part'),
  'TrainingPhrasePartInput.entityType': entityType,
  entityTypeDisplayName: entityType,
  audioUri: storageObject,
  shareLocation: struct,
  'IntentRbmCardContentInput.title': bytes(200),
  'IntentRbmCardContentInput.description': bytes(2000),
  'IntentRbmCarouselCardInput.cardContents': entries(2, 10),
  'IntentBrowseCarouselCardInput.items': entries(2, 10),
  'QueryTextInput.text': characters(256, 1),
  'QueryEventInput.name': characters(150, 1),
  'QueryEventInput.parameters': struct,
  'QueryAudioInput.sampleRateHertz': between(1, 2 ** 31 - 1),
  'QueryDtmfInput.dtmfEvents': filled('tone'),
  'SpeechContextInput.boost': between(0, 20),
  defaultNoSpeechTimeout: seconds,
  noBargeInDuration: seconds,
  totalDuration: seconds,
  'QueryParametersInput.payload': struct,
  webhookHeaders: headers,
  latitude: between(-90, 90),
  longitude: between(-180, 180),
  'SessionEntityTypeInput.name': sessionEntityType,
  'SubAgentInput.project': (value: unknown) => projectName(String(value)),
  // The service's results have 0 if no rate was set.
  speakingRate: (value: unknown, at: string, scope: InputScope) =>
    value === 0 ? value : between(0.25, 4)(value, at, scope),
  pitch: between(-20, 20),
  volumeGainDb: between(-96, 16),
})

/** Input objects that the rule of their field has already converted. */
export const converted: ReadonlySet<string> = new Set(['WebhookHeaderInput'])

type TypeRule = (written: Json, at: string, scope: InputScope) => void

function given(written: Json, keys: readonly string[]): string[] {
  return keys.filter((key) => written[key] !== undefined)
}

const exactlyOne =
  (...keys: string[]): TypeRule =>
  (written, at) => {
    const found = given(written, keys)
    if (found.length === 1) return
    refuse(
      at,
      `exactly one of ${keys.join(', ')}; it has ${found.length === 0 ? 'none' : found.join(' and ')}`,
      'have',
    )
  }

/** The kinds of a response. A message has exactly one of them. */
export const messageKinds: readonly string[] = [
  'text',
  'image',
  'quickReplies',
  'card',
  'payload',
  'simpleResponses',
  'basicCard',
  'suggestions',
  'linkOutSuggestion',
  'listSelect',
  'carouselSelect',
  'telephonyPlayAudio',
  'telephonySynthesizeSpeech',
  'telephonyTransferCall',
  'rbmText',
  'rbmStandaloneRichCard',
  'rbmCarouselRichCard',
  'browseCarouselCard',
  'tableCard',
  'mediaContent',
]

export const typeRules = tableOf<TypeRule>({
  ImportAgentInput: exactlyOne('agentUri', 'agentContent'),
  QueryInput: exactlyOne('text', 'event', 'audioConfig', 'dtmf'),
  IntentMessageInput: exactlyOne(...messageKinds),
  IntentSimpleResponseInput: exactlyOne('textToSpeech', 'ssml'),
  IntentTelephonySynthesizeSpeechInput: exactlyOne('text', 'ssml'),
  IntentRbmSuggestionInput: exactlyOne('reply', 'action'),
  IntentRbmActionInput: exactlyOne('dial', 'openUrl', 'shareLocation'),
  IntentMediaObjectInput: (written, at) => {
    if (given(written, ['largeImage', 'icon']).length > 1)
      refuse(at, 'at most one of largeImage, icon', 'have')
  },
  IntentParameterInput: (written, at) => {
    if (written.mandatory === true && written.entityTypeDisplayName === undefined) {
      refuse(`${at}.entityTypeDisplayName`, 'given, because the parameter is mandatory')
    }
  },
  TrainingPhrasePartInput: (written, at) => {
    const found = given(written, ['entityType', 'alias'])
    if (found.length === 1) refuse(at, '`entityType` and `alias` together, or neither', 'have')
  },
  DetectIntentInput: (written, at) => {
    const audio = (written.queryInput as Json | undefined)?.audioConfig !== undefined
    if (audio && written.inputAudio === undefined) {
      refuse(`${at}.inputAudio`, 'given with `queryInput.audioConfig`')
    }
    if (!audio && written.inputAudio !== undefined) {
      refuse(`${at}.inputAudio`, 'left out: it is allowed only with `queryInput.audioConfig`')
    }
  },
})
