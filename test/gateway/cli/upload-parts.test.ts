/** How `tessera upload` sends a file to servers that take it, lose it, and never say so. */
import { rmSync, statSync, utimesSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sendParts } from '../../../gateway/cli/upload-parts.ts'
import { type Arrived, type Scripted, startScripted } from '../../support/scripted-service.ts'
import { temporaryFile } from '../../support/temporary.ts'

const size = 10
const file = temporaryFile('film.mp4', '1'.repeat(size))

const done = { status: 201, body: { id: 'v', globalId: 'g' } }
const upTo = (bytes: number): Scripted => ({
  status: 308,
  ...(bytes === 0 ? {} : { headers: { range: `bytes=0-${bytes - 1}` } }),
})

async function send(
  answer: (arrived: Arrived, calls: number) => Scripted,
  { isLastSent = false, from = file }: { isLastSent?: boolean; from?: string } = {},
) {
  let calls = 0
  await using service = await startScripted((arrived) => answer(arrived, ++calls))
  const pauses: number[] = []
  const progress: number[] = []
  const outcome = await sendParts(
    { file: from, size, mtimeMs: statSync(from).mtimeMs, contentType: 'video/mp4' },
    { url: `${service.url}/upload/x`, expiresAt: '', chunkSize: 4 },
    {
      signal: new AbortController().signal,
      progress: (bytes) => void progress.push(bytes),
      lastPart: () => {},
      isLastSent,
      pause: async (milliseconds) => void pauses.push(milliseconds),
    },
  ).then(
    (video) => ({ video, error: undefined }),
    (error: Error & { isFinal?: boolean }) => ({ video: undefined, error }),
  )
  return {
    ...outcome,
    pauses,
    progress,
    ranges: service.arrived.map(({ headers }) => headers['content-range']),
  }
}

/** A server that records what comes, unless it keeps nothing or has a status for that call. */
const keeping = ({ keeps = true, statuses = {} as Readonly<Record<number, number>> } = {}) => {
  let held = 0
  return ({ headers }: Arrived, calls: number): Scripted => {
    const status = statuses[calls]
    if (status !== undefined) return { status }
    const [, last] = /^bytes \d+-(\d+)\//.exec(headers['content-range'] ?? '') ?? []
    if (last !== undefined && keeps) held = Math.max(held, Number(last) + 1)
    return held === size ? done : upTo(held)
  }
}

test('parts are sent in order, and progress is reported', async () => {
  const { video, progress, ranges, pauses } = await send(keeping())
  expect(video).toEqual({ id: 'v', globalId: 'g' })
  expect(ranges).toEqual(['bytes */10', 'bytes 0-3/10', 'bytes 4-7/10', 'bytes 8-9/10'])
  expect(progress).toEqual([0, 4, 8, 10])
  expect(pauses).toEqual([])
})

test('a server that keeps nothing is tried a bounded number of times, with growing pauses', async () => {
  const { error, ranges, pauses } = await send(keeping({ keeps: false }))
  expect(error?.message).toMatch(/no more bytes arrive/)
  expect(error?.isFinal).toBe(false)
  expect(ranges).toHaveLength(10)
  expect(pauses).toHaveLength(8)
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b))
})

test('a server that has everything and names no video is asked once more', async () => {
  const { error, ranges } = await send(() => upTo(size))
  expect(ranges).toEqual(['bytes */10', 'bytes */10'])
  expect(error?.message).toMatch(/all bytes have arrived/)
  expect(error?.isFinal).toBe(false)
  const late = await send((_, calls) => (calls === 1 ? upTo(size) : done))
  expect(late.video).toEqual({ id: 'v', globalId: 'g' })
})

test('the upload continues after 408 and after Retry-After, and a long Retry-After ends this run', async () => {
  const timedOut = await send(keeping({ statuses: { 2: 408 } }))
  expect(timedOut.video).toEqual({ id: 'v', globalId: 'g' })
  const told = await send((arrived, calls) =>
    calls === 1 ? { status: 429, headers: { 'retry-after': '20' } } : arrived && done,
  )
  expect(told.pauses).toEqual([20_000])
  const long = await send(() => ({ status: 429, headers: { 'retry-after': '7200' } }))
  expect(long.error?.message).toMatch(/continues in 7200 s/)
  expect(long.ranges).toHaveLength(1)
})

test('only a lost upload, or a wrong part, is not continued', async () => {
  const finals = await Promise.all(
    [400, 401, 403, 404, 410, 413].map(async (status) => [
      status,
      (await send(() => ({ status }))).error?.isFinal,
    ]),
  )
  expect(finals).toEqual([
    [400, true],
    [401, false],
    [403, false],
    [404, true],
    [410, true],
    [413, true],
  ])
})

test('if the last part was sent and the address does not exist any more, nothing begins again', async () => {
  const { error } = await send(() => ({ status: 410 }), { isLastSent: true })
  expect(error?.isFinal).toBe(false)
  expect(error?.message).toMatch(/--again/)
})

test('a file that is changed meanwhile is not sent on, and the next run begins again', async () => {
  const from = temporaryFile('film.mp4', '1'.repeat(size))
  const { error, ranges, pauses } = await send(
    ({ headers }) => {
      const isQuestion = headers['content-range'] === 'bytes */10'
      if (!isQuestion) utimesSync(from, 1, 1)
      return upTo(isQuestion ? 0 : 4)
    },
    { from },
  )
  expect(error?.message).toMatch(/was changed while it was sent/)
  expect(error?.isFinal).toBe(true)
  expect(ranges).toEqual(['bytes */10', 'bytes 0-3/10'])
  expect(pauses).toEqual([])
})

test('a file that cannot be read is named as the cause, and not the connection', async () => {
  const from = temporaryFile('film.mp4', '1'.repeat(size))
  const { error, pauses } = await send(
    () => {
      rmSync(from)
      return upTo(0)
    },
    { from },
  )
  expect(error?.message).toMatch(/film\.mp4 cannot be read: /)
  expect(error?.isFinal).toBe(false)
  expect(pauses).toEqual([])
})

test('whatever a server answers, the command ends, and a video is one that it named', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(201, 308, 400, 401, 408, 409, 416, 429, 500, 503, 0), {
        minLength: 1,
        maxLength: 12,
      }),
      fc.array(fc.nat({ max: size }), { minLength: 1, maxLength: 12 }),
      async (statuses, ranges) => {
        const {
          video,
          error,
          ranges: sent,
        } = await send((_, calls) => {
          const status = statuses[calls % statuses.length] as number
          if (status === 201) return done
          return status === 308 || status === 0 ? upTo(ranges[calls % ranges.length] as number) : { status }
        })
        expect(video === undefined).toBe(error !== undefined)
        expect(sent.length).toBeLessThanOrEqual((size + 1) * 10)
      },
    ),
    { numRuns: 60 },
  )
})
