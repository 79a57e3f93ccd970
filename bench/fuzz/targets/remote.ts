/** Responses of remote subgraphs, coprocessors and stores, after they have arrived. */

import { read } from '../../../engine/subgraphs/http/read-response.ts'
import { maskedErrors, readErrorsOf, shownErrors } from '../../../engine/subgraphs/http/subgraph-errors.ts'
import {
  answerHead,
  answerOf,
  changeOf,
  errorsOf,
  HookMistake,
  headerChanges,
  requestHeaders,
  textsOf,
} from '../../../gateway/hooks/reading.ts'
import { changesOf } from '../../../gateway/hooks/run.ts'
import { errorsOf as keptErrors, readEntry } from '../../../gateway/pipeline/idempotency/entry.ts'
import { readPurge } from '../../../gateway/server/admin/index.ts'
import { EventStreamReader } from '../../../shared/http/event-stream.ts'
import { messageOf } from '../../../shared/runtime/thrown.ts'
import { publicMessage } from '../../../subgraphs/kit/service-message.ts'
import { piecesOf } from '../pieces.ts'
import { Broken, same, targetsOf } from '../target.ts'

function jsonIn(input: Buffer): unknown {
  try {
    return JSON.parse(input.toString('utf8'))
  } catch {
    return undefined
  }
}

export const targets = targetsOf(import.meta.url, [
  {
    name: 'subgraph-answer',
    covers: ['engine/subgraphs/http/read-response.ts', 'engine/subgraphs/http/subgraph-errors.ts'],
    seeds: [
      '{"data":{"a":{"__typename":"A","id":"1"}}}',
      '{"data":null,"errors":[{"message":"no","path":["a",0],"extensions":{"code":"NOT_FOUND","stacktrace":[],"service":"x"}}]}',
      '{"errors":[null,"text",{"message":1,"path":"a","extensions":[]}],"extensions":{}}',
    ],
    run(input) {
      for (const rules of [maskedErrors, shownErrors, { messages: true, extensions: ['code', 'x'] }]) {
        const readError = readErrorsOf('videos', rules)()
        for (const status of [200, 429, 503]) {
          const result = read('videos', status, undefined, input, readError)
          if (result.data === undefined && result.errors === undefined)
            throw new Broken('neither data nor errors')
          for (const error of result.errors ?? [])
            if (typeof error.extensions?.code !== 'string') throw new Broken('an error without a code', error)
        }
      }
    },
  },
  {
    name: 'event-stream',
    covers: ['shared/http/event-stream.ts'],
    seeds: [
      '\x00\uFEFFevent: next\ndata: {"a":1}\nid: 7\n\n: c\r\nretry: 1500\r\ndata: b\rdata: c\r\r',
      '\x03event: complete\ndata\n\n',
    ],
    run(input) {
      const readAll = (pieces: readonly Buffer[]): readonly unknown[] => {
        const seen: unknown[] = []
        const reader = new EventStreamReader({
          mostBytes: 4096,
          event: (event) => seen.push(event),
          retry: (milliseconds) => seen.push(milliseconds),
        })
        for (const piece of pieces) reader.read(piece)
        return seen
      }
      const pieces = piecesOf(input)
      same(readAll(pieces), readAll([Buffer.concat(pieces)]), 'the same events, however the bytes are cut')
    },
  },
  {
    name: 'coprocessor-answer',
    covers: ['gateway/hooks/reading.ts'],
    seeds: [
      '{"headers":{"x-a":"b","x-c":null},"data":{"a":1},"errors":[{"message":"m","path":["a"],"extensions":{"code":"X"}}]}',
      '{"refuse":{"message":"no","code":"FORBIDDEN","status":403,"extensions":{"a":1},"headers":{"x-a":"b"}}}',
    ],
    allows: (error) => error instanceof HookMistake,
    run(input) {
      const given = jsonIn(input)
      const change = changeOf(given, changesOf.answer, {})
      if (change === undefined || !('headers' in change)) return
      const { headers, errors } = change as Record<string, unknown>
      for (const use of [
        () => answerHead(headers),
        () => requestHeaders(headers),
        () => headerChanges(headers),
        () => answerOf(change),
        () => errorsOf(errors, 'errors'),
        () => textsOf(errors, 'policies'),
      ])
        try {
          use()
        } catch (error) {
          if (!(error instanceof HookMistake)) throw error
        }
    },
  },
  {
    name: 'kept-outcome',
    covers: ['gateway/pipeline/idempotency/entry.ts'],
    seeds: [
      '{"request":"r","until":0,"attempt":"a","outcomes":{"like":{"kind":"done","data":"{\\"like\\":1}","errors":[{"message":"m","extensions":{"code":"CONFLICT"}}]},"insert":{"kind":"unknown","since":1}}}',
    ],
    run(input) {
      const entry = readEntry(input.toString('utf8'))
      for (const outcome of Object.values(entry?.outcomes ?? {})) {
        if (outcome.kind !== 'done') continue
        if (outcome.data !== undefined) same(JSON.parse(outcome.data), JSON.parse(outcome.data), 'its data')
        keptErrors(outcome)
      }
    },
  },
  {
    name: 'purge',
    covers: ['gateway/server/admin/index.ts'],
    seeds: [
      '{"tags":["sale"],"subgraphs":["products"],"types":["Product"],"objects":[{"type":"Product","key":{"id":"1"}}]}',
    ],
    run: (input) => readPurge(input.toString('utf8')),
  },
  {
    name: 'service-message',
    covers: ['subgraphs/kit/service-message.ts'],
    longest: 16_384,
    seeds: [
      'invalid parameter "query": 1:5: parse error: unexpected <op:=> in label matching at http://10.0.0.3:9090/x',
      'java.lang.IllegalStateException: com.google.Foo failed for a@b.example.com in projects/p1/agent, project number 123',
      'dial tcp [2001:db8::1]:9090: connect: lookup store-1.internal on localhost:53 <b>bold</b>',
    ],
    run(input) {
      const text = input.toString('utf8')
      const shown = publicMessage(text, { names: ['p1', text.slice(0, 20)] })
      if (shown.length > 501) throw new Broken('longer than the bound', shown.length)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
      if (/[\u0000-\u001f\u007f-\u009f]/.test(shown)) throw new Broken('a control character', shown)
      messageOf(text)
    },
  },
])
