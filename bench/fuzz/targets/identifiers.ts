/** Arguments of clients: ids, cursors, positions, times, names, upload addresses. */

import { checkUploadToken } from '../../../gateway/server/uploads.ts'
import { fromGlobalId, toGlobalId } from '../../../shared/graphql/global-id.ts'
import { readEarlierAttempt } from '../../../shared/request.ts'
import {
  checkIntentName,
  checkOperationName,
  checkSession,
  contextName,
} from '../../../subgraphs/agents/resource-names.ts'
import { positionOf, readCursor, writeCursor } from '../../../subgraphs/kit/pagination/cursor.ts'
import { connectionBounds } from '../../../subgraphs/kit/pagination/index.ts'
import { readListPosition, writeListPosition } from '../../../subgraphs/kit/polling/list-position.ts'
import { uint64, unsignedInt } from '../../../subgraphs/kit/scalars.ts'
import { checkId as checkMessageId } from '../../../subgraphs/messages/model.ts'
import { durationFrom, rangeFrom, stepFrom, timeFrom } from '../../../subgraphs/metrics/arguments.ts'
import { matchersFrom } from '../../../subgraphs/metrics/live/matchers.ts'
import { rangeArgumentsFrom } from '../../../subgraphs/metrics/live/range-slices.ts'
import { checkId as checkVideoId } from '../../../subgraphs/videos/ids.ts'
import { createCapabilities } from '../../../subgraphs/videos/upload/capability.ts'
import { checkFile } from '../../../subgraphs/videos/upload/index.ts'
import { readSent, receivedFrom } from '../../../subgraphs/videos/upload/range.ts'
import { linesOf } from '../pieces.ts'
import { Broken, same, targetsOf } from '../target.ts'
import { isTyped } from '../typed.ts'

const position = { token: 'CAUQAA', size: 50, index: 3, next: 'CAoQAA', previous: undefined }
const cursor = writeCursor('list', position)
const pages = { maxPageSize: 50, defaultPageSize: 5 }
const capabilities = createCapabilities('a secret of at least thirty-two characters')
const upload = await capabilities.seal(
  { address: 'http://127.0.0.1/upload?id=1', contentType: 'video/mp4', contentLength: 9, proof: [] },
  new Date(4_000_000_000_000),
)
const session = 'projects/demo/agent/environments/draft/users/-/sessions/s1'

export const targets = targetsOf(import.meta.url, [
  {
    name: 'global-id',
    covers: ['shared/graphql/global-id.ts'],
    seeds: [toGlobalId('Video', 'u62wyH56M7e'), toGlobalId('Intent', 'projects/é/agent'), 'QTo'],
    run(input) {
      const id = input.toString('utf8')
      const known = fromGlobalId(id)
      if (known !== undefined) same(toGlobalId(known.type, known.key), id, 'an id has one spelling')
      // Every key has an id from which the key can be read again.
      const key = id.toWellFormed()
      if (key !== '') same(fromGlobalId(toGlobalId('Video', key))?.key, key, 'a key survives its id')
    },
  },
  {
    name: 'cursor',
    covers: ['subgraphs/kit/pagination/cursor.ts', 'subgraphs/kit/pagination/arguments.ts'],
    seeds: [cursor, Buffer.from('aaaaaaaaaaaa["t",50,3,0,0]').toString('base64url')],
    allows: isTyped,
    run(input) {
      const text = input.toString('utf8')
      // The text itself, and the text as the content of a cursor.
      for (const each of [text, Buffer.from(`aaaaaaaaaaaa${text}`).toString('base64url')]) {
        positionOf(each)
        const { items, calls } = connectionBounds({ first: 10, after: each }, pages)
        if (!(items >= 0 && calls >= 0 && calls <= items + 1))
          throw new Broken('more calls than items', [items, calls])
      }
      same(readCursor('list', text, 'after'), readCursor('list', text, 'after'), 'a cursor is one position')
    },
  },
  {
    name: 'live-position',
    covers: ['subgraphs/kit/polling/list-position.ts'],
    seeds: [writeListPosition('list', ['1', '2'])],
    run: (input) => readListPosition('list', input.toString('utf8')),
  },
  {
    name: 'service-ids',
    covers: [
      ...['subgraphs/agents/resource-names.ts', 'subgraphs/videos/ids.ts', 'subgraphs/messages/model.ts'],
      ...['subgraphs/kit/scalars.ts', 'shared/request.ts'],
    ],
    seeds: [
      'intent\nprojects/demo/agent/intents/1b2c',
      'operation\nprojects/demo/operations/42',
      `context\n${session}/contexts/order`,
      'session\ndemo\ns1',
      'video\nu62wyH56M7e',
      'message\n1234567890123456789',
      'number\n18446744073709551615',
      'attempt\n1795206056000 5000',
    ],
    allows: (error) => isTyped(error) || isScalarRefusal(error),
    run(input) {
      const [what, text = '', more = ''] = linesOf(input)
      if (what === 'intent') checkIntentName(text, 'name')
      else if (what === 'operation') checkOperationName(text, 'name')
      else if (what === 'context') contextName(text, session, 'name')
      else if (what === 'session')
        checkSession({ project: text, session: more, user: text, environment: more }, 'input')
      else if (what === 'video') checkVideoId(text, 'id')
      else if (what === 'message') checkMessageId(text, 'id')
      else if (what === 'attempt') readEarlierAttempt(text)
      else if (what === 'number') {
        const number = uint64.parseValue(text)
        if (BigInt(number) !== BigInt(text)) throw new Broken('another number')
        unsignedInt.parseValue(text)
      }
    },
  },
  {
    name: 'metrics-arguments',
    covers: [
      ...['subgraphs/metrics/arguments.ts', 'subgraphs/metrics/live/matchers.ts'],
      'subgraphs/metrics/live/range-slices.ts',
    ],
    seeds: [
      '2026-11-20T20:21:07Z\n2026-11-20T21:00:00.5+02:00\n15s\nREGEX\na.*b',
      '1795206067.5\n1795206068\n1h30m\nEQUAL\nx',
      '-1e3\n1e11\n0.5\nNOT_REGEX\n(a|b)+$',
      '1y2w3d4h5m6s7ms\n1\n1\nNOT_EQUAL\n',
    ],
    allows: isTyped,
    run(input) {
      const [start, end, span, match = '', value = ''] = linesOf(input)
      const kinds = ['EQUAL', 'NOT_EQUAL', 'REGEX', 'NOT_REGEX'] as const
      const kind = kinds.find((name) => name === match)
      each(
        () => timeFrom(start, 'time'),
        () => rangeFrom(start, end),
        () => durationFrom(span, 'timeout'),
        () => stepFrom(span),
        () => rangeArgumentsFrom(start, span, end),
        () => matchersFrom([{ name: 'job', match: kind, value }]).passes({ job: 'aab', x: value }),
      )
    },
  },
  {
    name: 'upload-request',
    covers: [
      ...['subgraphs/videos/upload/capability.ts', 'subgraphs/videos/upload/range.ts'],
      ...['subgraphs/videos/upload/index.ts', 'gateway/server/uploads.ts'],
    ],
    seeds: [
      `${upload}\nbytes 0-262143/524288\n262144\nbytes=0-262143\nvideo/mp4\n524288`,
      `${upload}\nbytes */524288\n0\nbytes=0-1\napplication/octet-stream\n9`,
      `${upload}\nbytes */*\n524288\n\nvideo/x-y+z\n1`,
    ],
    words: [upload],
    allows: isTyped,
    async run(input) {
      const [token = '', range, length, received, type = '', size = ''] = linesOf(input)
      const total = 524_288
      each(
        () => {
          const sent = readSent({ contentRange: range, contentLength: length }, total)
          if (sent.kind === 'bytes' && !(sent.first >= 0 && sent.first <= sent.last && sent.last < total))
            throw new Broken('bytes beyond the file', sent)
        },
        () => receivedFrom(received),
        () => checkFile(type, size),
        () => checkUploadToken(token),
      )
      await capabilities.open(token)
    },
  },
])

/** Each of them may refuse with a typed error, and the others are still tried. */
function each(...calls: readonly (() => unknown)[]): void {
  for (const call of calls)
    try {
      call()
    } catch (error) {
      if (!isTyped(error)) throw error
    }
}

/** Errors that GraphQL reports as errors of the argument. */
const isScalarRefusal = (error: unknown): boolean =>
  error instanceof TypeError && /^(UInt64|UnsignedInt) is /.test(error.message)
