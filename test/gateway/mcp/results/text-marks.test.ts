/** Marks around text of strangers: whole, and not to be ended from within, whatever the text is. */
import fc from 'fast-check'
import { buildSchema, getNamedType, isInterfaceType, isObjectType, parse } from 'graphql'
import { expect, test } from 'vitest'
import { shapeOf } from '../../../../gateway/mcp/results/shape.ts'
import { markNumber, quotedJson } from '../../../../gateway/mcp/results/text-marks.ts'
import {
  untrustedCoordinates,
  untrustedInOurGraph,
} from '../../../../gateway/mcp/results/untrusted-fields.ts'
import { writeValue } from '../../../../gateway/mcp/results/write-data.ts'
import { readSchemaFile } from '../../../../subgraphs/kit/subgraph.ts'

const schema = buildSchema(readSchemaFile('api'))

test('every coordinate of the list is a field of texts or of JSON', () => {
  for (const coordinate of untrustedCoordinates) {
    const [typeName = '', fieldName = ''] = coordinate.split('.')
    const type = schema.getType(typeName)
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined
    expect(field, `${coordinate} is not in the schema`).toBeDefined()
    if (field !== undefined) expect(['String', 'JSON', 'ID']).toContain(getNamedType(field.type).name)
  }
})

/** Fields of texts that people do not write: forms, codes, cursors, addresses of services, labels and expressions. */
const notWritten: readonly RegExp[] = [
  /^\w+Edge\.cursor$|^PageInfo\.|\.after$|\.etag$|\.kind$|\.url$|Url$|Uri$/i,
  /Rating$|RatingReasons$|Availability$|Status$|Reason$|anguageCodes?$|Language$|AudioLanguage$|Ids?$/,
  /^Metrics(Result|Series|Label|Sample|Histogram|Bucket|RuleGroup|BuildInfo|Tail|Error|Annotation|Alert|Rule|AlertingRule|RecordingRule)\.(resultType|warnings|infos|raw|name|label|metric|value|count|sum|left|right|file|query|version|revision|branch|buildUser|buildDate|goVersion|type)$/,
  /^(Agent\.(parent|timeZone)|DeleteContextsPayload\.session|DetectIntentPayload\.outputAudio|VoiceSelection\.name)$/,
  /^(SynthesizeSpeechConfig\.effectsProfileId|Message\.lang|MessageMediaVariant\.contentType|AnnotationEntity\.type)$/,
  /^(MessageGeo\.coordinates|MessagePlace\.(countryCode|placeType)|Withheld\.countryCodes|AgentStatus\.status)$/,
  /^VideoSnippet\.liveBroadcastContent$|^Thumbnail\.key$|^VideoLocalization\.key$|^VideoRegionRestriction\./,
  /^VideoContentDetails\.(duration|dimension|definition|caption|projection)$|^VideoStatus\.license$/,
  /^VideoTopicDetails\.topicCategories$|^VideoFileDetails\.(fileType|creationTime)$|^VideoFileVideoStream\.rotation$/,
  /^VideoSuggestions\.|^MediaQuotaOperation\.name$|^VideoUploadTarget\.method$|^Mutation\.|^Query\.|^Subscription\./,
]

test('every field of texts is in the list, or is not written by people', () => {
  const forgotten = Object.values(schema.getTypeMap()).flatMap((type) => {
    if ((!isObjectType(type) && !isInterfaceType(type)) || type.name.startsWith('__')) return []
    return Object.values(type.getFields())
      .filter((field) => ['String', 'JSON'].includes(getNamedType(field.type).name))
      .map((field) => `${type.name}.${field.name}`)
      .filter((name) => !untrustedCoordinates.has(name) && !notWritten.some((form) => form.test(name)))
  })
  expect(forgotten, 'add it to gateway/mcp/results/untrusted-fields.ts, or here').toEqual([])
})

const document = parse(
  '{ commentThread(threadId: "t") { topLevelComment { textOriginal authorDisplayName } } }',
)
const shape = shapeOf({
  schema,
  document,
  operationName: undefined,
  variables: undefined,
  isUntrusted: untrustedInOurGraph,
})

test('a text is whole between marks with one number, which stands in no text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, name) => {
      const data = { commentThread: { topLevelComment: { textOriginal: text, authorDisplayName: name } } }
      const number = markNumber([text, name])
      const pointers: string[] = []
      const found = (pointer: string): void => void pointers.push(pointer)
      const written = writeValue(data, shape, false, '', { number, cuts: new Map(), found })
      const read = JSON.parse(written)
      const { textOriginal, authorDisplayName } = read.commentThread.topLevelComment
      expect(textOriginal).toBe(`<<${number}:${text}:${number}>>`)
      expect(authorDisplayName).toBe(`<<${number}:${name}:${number}>>`)
      expect(written.split(number)).toHaveLength(5)
      expect(pointers).toEqual([
        '/commentThread/topLevelComment/textOriginal',
        '/commentThread/topLevelComment/authorDisplayName',
      ])
    }),
  )
})

test('characters that are not seen, or turn the direction, are escaped', () => {
  const codes = [
    0x0, 0x1b, 0x7f, 0x9f, 0xad, 0x61c, 0x200b, 0x200d, 0x200e, 0x202e, 0x2066, 0xfe0f, 0xfeff, 0xe0041,
    0xe01ef,
  ]
  for (const code of codes) {
    const written = quotedJson(`a${String.fromCodePoint(code)}b`)
    expect(written, code.toString(16)).toMatch(/^"a(\\u[0-9a-f]{4}){1,2}b"$/)
    expect(JSON.parse(written)).toBe(`a${String.fromCodePoint(code)}b`)
  }
  expect(quotedJson('ünïcode — 漢字 😀')).toBe('"ünïcode — 漢字 😀"')
})

test('a text with every number of six digits has marks all the same', () => {
  const text = Array.from({ length: 900_000 }, (_, n) => n + 100_000).join(' ')
  expect(text).not.toContain(markNumber([text]))
})
