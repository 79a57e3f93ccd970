/**
 * Reads a `detectIntent` request: its input, how the response is spoken, its contexts and entity types. Refuses
 * what the service refuses.
 */
import { invalidArgument, StatusError } from '../errors.ts'
import { type Json, pathsFrom } from '../proto.ts'
import { hear, type WaveEncoding } from '../wave.ts'
import type { SessionEntityType, SessionEntityTypes } from './phrases.ts'

export interface Input {
  readonly text: string | undefined
  readonly event: { readonly name: string; readonly parameters: Json } | undefined
  readonly languageCode: string
  readonly heard: boolean
}
const maxTextLength = 256

const digits: Readonly<Record<string, string>> = {
  DTMF_ONE: '1',
  DTMF_TWO: '2',
  DTMF_THREE: '3',
  DTMF_FOUR: '4',
  DTMF_FIVE: '5',
  DTMF_SIX: '6',
  DTMF_SEVEN: '7',
  DTMF_EIGHT: '8',
  DTMF_NINE: '9',
  DTMF_ZERO: '0',
  DTMF_A: 'A',
  DTMF_B: 'B',
  DTMF_C: 'C',
  DTMF_D: 'D',
  DTMF_STAR: '*',
  DTMF_POUND: '#',
}

export function inputFrom(request: Json): Input {
  const input = (request.queryInput ?? {}) as { readonly [kind: string]: Json | undefined }
  const { text, event, audioConfig, dtmf } = input
  if (request.inputAudio !== undefined && audioConfig === undefined) {
    throw invalidArgument('input_audio needs an audio_config in query_input.', 'input_audio')
  }
  const languageCode = (of: Json, field: string): string => {
    if (typeof of.languageCode === 'string' && of.languageCode !== '') return of.languageCode
    throw invalidArgument('The language code is required.', `query_input.${field}.language_code`)
  }
  if (text !== undefined) {
    const content = String(text.text ?? '')
    if (content === '') throw invalidArgument('Input text not set.', 'query_input.text.text')
    if ([...content].length > maxTextLength) {
      throw invalidArgument(`Input text exceeds ${maxTextLength} characters.`, 'query_input.text.text')
    }
    return { text: content, event: undefined, languageCode: languageCode(text, 'text'), heard: false }
  }
  if (event !== undefined) {
    const name = String(event.name ?? '')
    if (name === '') throw invalidArgument('The event has no name.', 'query_input.event.name')
    const parameters = (event.parameters ?? {}) as Json
    return {
      text: undefined,
      event: { name, parameters },
      languageCode: languageCode(event, 'event'),
      heard: false,
    }
  }
  if (audioConfig !== undefined) {
    if ((audioConfig.audioEncoding ?? 'AUDIO_ENCODING_UNSPECIFIED') === 'AUDIO_ENCODING_UNSPECIFIED') {
      throw invalidArgument('The audio encoding is required.', 'query_input.audio_config.audio_encoding')
    }
    if (typeof audioConfig.sampleRateHertz !== 'number' || audioConfig.sampleRateHertz <= 0) {
      throw invalidArgument('The sample rate is required.', 'query_input.audio_config.sample_rate_hertz')
    }
    const code = languageCode(audioConfig, 'audio_config')
    if (request.inputAudio === undefined || request.inputAudio === '') {
      throw invalidArgument('Input audio not set.', 'input_audio')
    }
    const heard = hear(Buffer.from(String(request.inputAudio), 'base64'))
    return { text: heard, event: undefined, languageCode: code, heard: true }
  }
  if (dtmf !== undefined) {
    const events = (dtmf.dtmfEvents ?? []) as string[]
    return {
      text: events.map((one) => digits[one] ?? '').join(''),
      event: undefined,
      languageCode: 'en',
      heard: false,
    }
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
const defaultSpeech: Json = { audioEncoding: 'OUTPUT_AUDIO_ENCODING_LINEAR_16', sampleRateHertz: 8000 }

/** How to speak the response; undefined if neither the settings nor the kind of input request speech. */
export function speechFrom(request: Json): Speech | undefined {
  const { outputAudioConfig, outputAudioConfigMask = '', queryInput } = request
  const isAudio = (queryInput as Json | undefined)?.audioConfig !== undefined
  const paths = pathsFrom('OutputAudioConfig', String(outputAudioConfigMask))
  if (outputAudioConfig === undefined && !isAudio) return undefined
  const given = (outputAudioConfig ?? {}) as Json
  const masked = Object.fromEntries(
    paths.flatMap(([field = '']) => (given[field] === undefined ? [] : [[field, given[field]]])),
  )
  const config: Json =
    outputAudioConfig === undefined
      ? defaultSpeech
      : paths.length === 0
        ? given
        : { ...defaultSpeech, ...masked }
  if ((config.audioEncoding ?? 'OUTPUT_AUDIO_ENCODING_UNSPECIFIED') === 'OUTPUT_AUDIO_ENCODING_UNSPECIFIED') {
    throw invalidArgument(
      'The audio encoding of the output is required.',
      'output_audio_config.audio_encoding',
    )
  }
  const rate =
    typeof config.sampleRateHertz === 'number' && config.sampleRateHertz > 0 ? config.sampleRateHertz : 8000
  if (rate < 8000 || rate > 48_000) {
    throw invalidArgument(
      'The sample rate is not between 8000 and 48000.',
      'output_audio_config.sample_rate_hertz',
    )
  }
  const encoding = waveEncodings.get(config.audioEncoding)
  if (encoding === undefined) {
    throw new StatusError('UNIMPLEMENTED', `This server does not speak ${String(config.audioEncoding)}.`)
  }
  return { encoding, rate, config }
}

export function contextsFrom(
  parameters: Json,
  session: string,
): { id: string; lifespan: number; values: Json }[] {
  const contexts = (parameters.contexts ?? []) as Json[]
  return contexts.flatMap((context) => {
    const name = String(context.name ?? '')
    const prefix = `${session}/contexts/`
    const id = name.slice(prefix.length)
    if (!name.startsWith(prefix) || !/^[A-Za-z0-9_%-]{1,250}$/.test(id)) {
      throw invalidArgument(
        `Context name '${name}' is not of the form '${prefix}<Context ID>'.`,
        'query_params.contexts',
      )
    }
    const lifespan = typeof context.lifespanCount === 'number' ? context.lifespanCount : 0
    // A lifespan of zero deletes the context.
    return lifespan <= 0
      ? []
      : [{ id: id.toLowerCase(), lifespan, values: (context.parameters ?? {}) as Json }]
  })
}

export function entityTypesFrom(parameters: Json): SessionEntityTypes {
  const types = (parameters.sessionEntityTypes ?? []) as Json[]
  return new Map(
    types.map((type): [string, SessionEntityType] => {
      const name = String(type.name ?? '')
      const display = name.slice(name.lastIndexOf('/') + 1)
      const mode = type.entityOverrideMode ?? 'ENTITY_OVERRIDE_MODE_UNSPECIFIED'
      if (display === '' || mode === 'ENTITY_OVERRIDE_MODE_UNSPECIFIED') {
        throw invalidArgument(
          'A session entity type needs a name and an override mode.',
          'query_params.session_entity_types',
        )
      }
      const entities = ((type.entities ?? []) as Json[]).map(({ value, synonyms }) => ({
        value: String(value ?? ''),
        synonyms: (synonyms ?? []) as string[],
      }))
      return [
        `@${display.replace(/^@/, '')}`,
        { override: mode === 'ENTITY_OVERRIDE_MODE_OVERRIDE', entities },
      ]
    }),
  )
}
