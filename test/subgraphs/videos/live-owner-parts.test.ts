/** Subscriptions to the parts of videos that only their owners may read. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Subgraph } from '../../../shared/subgraph.ts'
import { eventually, type HeldClock, heldClock, type LiveResult, subscribeTo } from '../../support/live.ts'
import { type Scripted, type ScriptedService, startScripted } from '../../support/scripted-service.ts'
import { videosAt } from './kit.ts'

let clock: HeldClock
let service: ScriptedService
let subgraph: Subgraph
/** The answer to a call for the owner's parts of these videos. */
let answerOwner: (ids: readonly string[]) => Scripted | Promise<Scripted>

beforeEach(async () => {
  clock = heldClock()
  service = await startScripted(({ query }) => {
    const ids = query.id?.split(',') ?? []
    return query.part === 'id' ? { body: { items: ids.map((id) => ({ id })) } } : answerOwner(ids)
  })
  subgraph = videosAt(service.url, { live: { clock } })
})
afterEach(async () => {
  await subgraph.close()
  await service[Symbol.asyncDispose]()
})

/** The ids of each call for the owner's parts. */
const asked = (): string[] =>
  service.arrived.flatMap(({ query }) => (query.part === 'id' ? [] : [query.id ?? '']))
const polls = (): number => service.arrived.filter(({ query }) => query.part === 'id').length

async function watch(ids: readonly string[]) {
  const watching = await subscribeTo(
    subgraph,
    'subscription ($ids: [ID!]!) { videoChanged(videoIds: $ids) { videoId fileDetails { fileName } } }',
    { ids },
  )
  watching.read()
  return watching
}

async function polled(milliseconds: number): Promise<void> {
  const before = polls()
  clock.pass(milliseconds)
  await eventually(() => polls() > before, `a poll after ${milliseconds} ms`)
  await eventually(() => clock.waiting > 0, 'the next poll is planned')
}

const named = (ids: readonly string[], fileName: string): Scripted => ({
  body: { items: ids.map((id) => ({ id, fileDetails: { fileName } })) },
})
const forbidden: Scripted = {
  status: 403,
  body: { error: { code: 403, message: '', errors: [{ reason: 'forbidden', domain: 'video' }] } },
}
const shown = ({ data: { videoChanged: video } }: LiveResult) => [video.videoId, video.fileDetails?.fileName]
const codes = ({ errors }: LiveResult) => errors.map(({ extensions }) => extensions.code)

test("changes of the caller's own videos are seen beside a video of somebody else", async () => {
  let fileName = 'a'
  answerOwner = (ids) => (ids.includes('3') ? forbidden : named(ids, fileName))
  const watching = await watch(['1', '2', '3', '4'])
  await polled(50)
  const first = await watching.until(4)
  expect(first.map(shown).sort()).toEqual([
    ['1', 'a'],
    ['2', 'a'],
    ['3', undefined],
    ['4', 'a'],
  ])
  expect(first.flatMap(codes)).toEqual(['FORBIDDEN'])
  const before = asked().length
  fileName = 'b'
  await polled(60_000)
  const later = (await watching.until(7)).slice(4)
  expect(later.map(shown).sort()).toEqual([
    ['1', 'b'],
    ['2', 'b'],
    ['4', 'b'],
  ])
  // What belongs to somebody else is asked for once.
  expect(asked().slice(before)).toEqual(['1,2,4'])
})

test('a video of somebody else is asked for once', async () => {
  answerOwner = () => forbidden
  const watching = await watch(['1', '2'])
  await polled(50)
  expect((await watching.until(2)).flatMap(codes)).toEqual(['FORBIDDEN', 'FORBIDDEN'])
  const before = asked().length
  await polled(60_000)
  expect(asked()).toHaveLength(before)
  expect(watching.seen).toHaveLength(2)
})

test('the calls that find out whose the videos are follow each other', async () => {
  let [open, most] = [0, 0]
  answerOwner = async () => {
    open += 1
    most = Math.max(most, open)
    await new Promise(setImmediate)
    open -= 1
    return forbidden
  }
  const ids = Array.from({ length: 20 }, (_, index) => `${index}`)
  const watching = await watch(ids)
  await polled(50)
  await watching.until(ids.length)
  expect(new Set(asked()).size).toBeGreaterThan(ids.length)
  expect(most).toBe(1)
})

test('a failure of the call for these parts is no change', async () => {
  answerOwner = (ids) => named(ids, 'a')
  const watching = await watch(['1'])
  await polled(50)
  await watching.until(1)
  answerOwner = () => ({ status: 500, body: {} })
  await polled(60_000)
  answerOwner = (ids) => named(ids, 'b')
  await polled(120_000)
  const seen = await watching.until(2)
  expect(seen.map(shown)).toEqual([
    ['1', 'a'],
    ['1', 'b'],
  ])
  expect(seen.flatMap(codes)).toEqual([])
})

test('a part that cannot be read is an error of its field, and not absent', async () => {
  answerOwner = (ids) => ({
    body: { items: ids.map((id) => (id === '1' ? { id: 7 } : { id, fileDetails: { fileName: 'a' } })) },
  })
  const watching = await watch(['1', '2'])
  await polled(50)
  const seen = await watching.until(2)
  expect(seen.map(shown).sort()).toEqual([
    ['1', undefined],
    ['2', 'a'],
  ])
  expect(seen.flatMap(codes)).toEqual(['UPSTREAM_BAD_RESPONSE'])
})
