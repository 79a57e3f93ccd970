/**
 * Sends an incremental response: one part or event for each payload, each as soon as the client has read the one
 * before.
 */
import type { ServerResponse } from 'node:http'
import type { PendingResult } from '../../../engine/executor/incremental/index.ts'
import { responseTooLarge } from '../../../engine/index.ts'
import { type JsonText, lengthOfJson, stringifyRaw } from '../../../shared/json/raw.ts'
import type { SubsequentResult, SubsequentResults } from '../../pipeline/index.ts'
import { type Closing, createMultipart, Sse, type Stream } from '../streaming/index.ts'
import type { IncrementalType } from './accept.ts'
import { createPayloadWriter, type InitialResult } from './dialects.ts'

export type IncrementalResponse = {
  readonly type: IncrementalType
  readonly status: number
  /** The most bytes of all payloads together. */
  readonly mostBytes: number
  /** Called if no more is wanted. */
  cancel(): void
} & (
  | { readonly first: InitialResult; readonly subsequentResults: SubsequentResults }
  /** The first payload is the whole response. */
  | { readonly whole: JsonText; readonly subsequentResults?: undefined }
)

interface Sending {
  readonly stream: Stream
  send(payload: JsonText): boolean
  end(): void
}

/**
 * Writes head and payloads. `head` has names and values in turn, without content type and cache control. Resolves when
 * all is written or the client has gone.
 */
export async function sendIncrementalResponse(
  response: ServerResponse,
  head: readonly string[],
  answer: IncrementalResponse,
): Promise<void> {
  const { type, mostBytes, cancel } = answer
  const sending = open(response, head, answer, {
    closed() {
      answer.subsequentResults?.close()
      cancel()
    },
  })
  if (answer.subsequentResults === undefined) {
    sending.send(answer.whole)
    sending.end()
    return
  }
  const { first, subsequentResults } = answer
  const writing = createPayloadWriter(type.dialect)
  const waiting = new Map<string, PendingResult>()
  let bytes = 0
  const write = async (payload: JsonText): Promise<void> => {
    if (!sending.send(payload) && !sending.stream.isOver)
      await new Promise<void>((resolve) => sending.stream.ready(resolve))
  }
  for (const each of subsequentResults.pending) waiting.set(each.id, each)
  const opening = stringifyRaw(writing.first(first, subsequentResults.pending))
  bytes += lengthOfJson(opening)
  await write(opening)
  while (!sending.stream.isOver) {
    const next = await subsequentResults.next()
    if (next === undefined) break
    let update: SubsequentResult = next
    for (const each of update.pending) waiting.set(each.id, each)
    let payloads = writing.update(update, update.extensions).map((payload) => stringifyRaw(payload))
    bytes += payloads.reduce((sum, payload) => sum + lengthOfJson(payload), 0)
    if (bytes > mostBytes) {
      const errors = [responseTooLarge(mostBytes)]
      const completed = [...waiting.values()].map((of) => ({ of, errors }))
      update = { pending: update.pending, incremental: [], completed, hasNext: false }
      payloads = writing.update(update).map((payload) => stringifyRaw(payload))
      subsequentResults.close()
      cancel()
    }
    for (const { of } of update.completed) waiting.delete(of.id)
    for (const payload of payloads) await write(payload)
    if (!update.hasNext) break
  }
  subsequentResults.close()
  sending.end()
}

function open(
  response: ServerResponse,
  head: readonly string[],
  { type, status, mostBytes }: IncrementalResponse,
  closing: Closing,
): Sending {
  // The first payload is available: it leaves in one packet with the head.
  const headWaits = true
  if (type.transport === 'sse') {
    const sse = new Sse(response, { status, head, mostBytes, closing, heartbeatMs: 15_000, headWaits })
    return {
      stream: sse.stream,
      send: (data) => sse.send({ event: 'next', data }),
      end() {
        sse.send({ event: 'complete' })
        sse.end()
      },
    }
  }
  const parameters = {
    'v0.2': 'incrementalSpec=v0.2',
    '20220824': 'deferSpec=20220824',
    relay: undefined,
  }[type.dialect]
  const multipart = createMultipart(response, { status, head, parameters, mostBytes, closing, headWaits })
  return {
    stream: multipart.stream,
    send: multipart.part,
    end: () => multipart.end(),
  }
}
