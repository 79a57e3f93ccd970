/**
 * Reads a `detectIntent` request: its input, how the response is spoken, its contexts and entity types. Refuses
 * what the service refuses.
 */
import { check, invalidArgument, StatusError } from '../errors.ts'
import { enumValuesOf, type Json, messagesIn, pathsFrom, stringsIn } from '../proto.ts'
import { recognizeSpeech, type WaveEncoding } from '../speech.ts'
import type { SessionEntityType, SessionEntityTypes } from './phrases.ts'

export interface Input {
  readonly text: string | undefined
  readonly event: { readonly name: string; readonly parameters: Json } | undefined
  readonly languageCode: string
  readonly heard: boolean
}
const maxTextLength = 256
const unspecified = 'AUDIO_ENCODING_UNSPECIFIED'

/** The keys of a telephone, in the order of the enum. */
const telephoneKeys = '1234567890ABCD*#'

export function inputFrom(request: Json): Input {
  const input = (request.queryInput ?? {}) as { readonly [kind: string]: Json | undefined }
  const { text, event, audioConfig, dtmf } = input
  const isHeard = request.inputAudio === undefined || audioConfig !== undefined
  check(isHeard, 'input_audio needs an audio_config in query_input.', 'input_audio')
  const languageCode = (of: Json, field: string): string => {
    const code = String(of.languageCode ?? '')
    check(code !== '', 'The language code is required.', `query_input.${field}.language_code`)
    return code
  }
  const none = { text: undefined, event: undefined, heard: false }
  if (text !== undefined) {
    const content = String(text.text ?? '')
    check(content !== '', 'Input text not set.', 'query_input.text.text')
    const isShort = [...content].length <= maxTextLength
    check(isShort, `Input text exceeds ${maxTextLength} characters.`, 'query_input.text.text')
    return { ...none, text: content, languageCode: languageCode(text, 'text') }
  }
  if (event !== undefined) {
    const name = String(event.name ?? '')
    check(name !== '', 'The event has no name.', 'query_input.event.name')
    const parameters = (event.parameters ?? {}) as Json
    return { ...none, event: { name, parameters }, languageCode: languageCode(event, 'event') }
  }
  if (audioConfig !== undefined) {
    const { audioEncoding = unspecified, sampleRateHertz = 0 } = audioConfig
    const at = 'query_input.audio_config'
    check(audioEncoding !== unspecified, 'The audio encoding is required.', `${at}.audio_encoding`)
    check(Number(sampleRateHertz) > 0, 'The sample rate is required.', `${at}.sample_rate_hertz`)
    const code = languageCode(audioConfig, 'audio_config')
    check((request.inputAudio ?? '') !== '', 'Input audio not set.', 'input_audio')
    const heard = recognizeSpeech(Buffer.from(String(request.inputAudio), 'base64'))
    return { ...none, text: heard, languageCode: code, heard: true }
  }
  if (dtmf !== undefined) {
    const [, ...names] = enumValuesOf('TelephonyDtmf')
    const keys = stringsIn(dtmf.dtmfEvents).map((name) => telephoneKeys[names.indexOf(name)] ?? '')
    return { ...none, text: keys.join(''), languageCode: 'en' }
  }
  throw invalidArgument('Query input is not set.', 'query_input')
}

interface Speech {
  readonly encoding: WaveEncoding
  readonly rate: number
  readonly config: Json
}
const waveEncodings = new Map<unknown, WaveEncoding>([
  ['OUTPUT_AUDIO_ENCODING_LINEAR_16', 'LINEAR_16'],
  ['OUTPUT_AUDIO_ENCODING_MULAW', 'MULAW'],
  ['OUTPUT_AUDIO_ENCODING_ALAW', 'ALAW'],
])
const defaultRate = 8000
const defaultSpeech: Json = {
  audioEncoding: 'OUTPUT_AUDIO_ENCODING_LINEAR_16',
  sampleRateHertz: defaultRate,
}

/** How to speak the response; undefined if neither the settings nor the kind of input request speech. */
export function speechFrom(request: Json): Speech | undefined {
  const { outputAudioConfig, outputAudioConfigMask = '', queryInput } = request
  const isAudio = (queryInput as Json | undefined)?.audioConfig !== undefined
  const paths = pathsFrom('OutputAudioConfig', String(outputAudioConfigMask))
  if (outputAudioConfig === undefined && !isAudio) return undefined
  const given = (outputAudioConfig ?? defaultSpeech) as Json
  const masked = Object.fromEntries(
    paths.flatMap(([field = '']) => (given[field] === undefined ? [] : [[field, given[field]]])),
  )
  const config: Json = paths.length === 0 ? given : { ...defaultSpeech, ...masked }
  const { audioEncoding = `OUTPUT_${unspecified}`, sampleRateHertz = 0 } = config
  check(
    audioEncoding !== `OUTPUT_${unspecified}`,
    'The audio encoding of the output is required.',
    'output_audio_config.audio_encoding',
  )
  const rate = Number(sampleRateHertz) > 0 ? Number(sampleRateHertz) : defaultRate
  check(
    rate >= defaultRate && rate <= 48_000,
    'The sample rate is not between 8000 and 48000.',
    'output_audio_config.sample_rate_hertz',
  )
  const encoding = waveEncodings.get(audioEncoding)
  if (encoding === undefined) {
    throw new StatusError('UNIMPLEMENTED', `This server does not speak ${String(audioEncoding)}.`)
  }
  return { encoding, rate, config }
}

export function contextsFrom(
  parameters: Json,
  session: string,
): { id: string; lifespan: number; values: Json }[] {
  const prefix = `${session}/contexts/`
  return messagesIn(parameters.contexts).flatMap((context) => {
    const name = String(context.name ?? '')
    const id = name.slice(prefix.length)
    check(
      name.startsWith(prefix) && /^[A-Za-z0-9_%-]{1,250}$/.test(id),
      `Context name '${name}' is not of the form '${prefix}<Context ID>'.`,
      'query_params.contexts',
    )
    const lifespan = Number(context.lifespanCount ?? 0)
    const values = (context.parameters ?? {}) as Json
    // A lifespan of zero deletes the context.
    return lifespan <= 0 ? [] : [{ id: id.toLowerCase(), lifespan, values }]
  })
}

export function entityTypesFrom(parameters: Json): SessionEntityTypes {
  return new Map(
    messagesIn(parameters.sessionEntityTypes).map((type): [string, SessionEntityType] => {
      const name = String(type.name ?? '')
      const display = name.slice(name.lastIndexOf('/') + 1)
      const mode = type.entityOverrideMode ?? 'ENTITY_OVERRIDE_MODE_UNSPECIFIED'
      check(
        display !== '' && mode !== 'ENTITY_OVERRIDE_MODE_UNSPECIFIED',
        'A session entity type needs a name and an override mode.',
        'query_params.session_entity_types',
      )
      const entities = messagesIn(type.entities).map(({ value, synonyms }) => ({
        value: String(value ?? ''),
        synonyms: stringsIn(synonyms),
      }))
      const override = mode === 'ENTITY_OVERRIDE_MODE_OVERRIDE'
      return [`@${display.replace(/^@/, '')}`, { override, entities }]
    }),
  )
}
