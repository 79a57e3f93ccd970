/** A change to a video whose parts hold more than the schema knows: the service replaces whole parts. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startGraph } from '../../support/graph.ts'
import { type Scripted, startScripted } from '../../support/scripted-service.ts'

const readOnly = {
  snippet: ['publishedAt', 'channelId', 'channelTitle', 'thumbnails', 'liveBroadcastContent', 'localized'],
  status: ['uploadStatus', 'failureReason', 'rejectionReason', 'madeForKids'],
  recordingDetails: [],
  paidProductPlacementDetails: [],
} as const
type Part = keyof typeof readOnly

const settable = {
  snippet: { title: 'New', description: 'Words', tags: ['a'], defaultAudioLanguage: 'fr' },
  status: { embeddable: false, license: 'creativeCommon', containsSyntheticMedia: true },
  recordingDetails: { locationDescription: 'Here', location: { latitude: 1, longitude: 2 } },
  paidProductPlacementDetails: { hasPaidProductPlacement: true },
} as const satisfies Record<Part, object>
const parts = Object.keys(settable) as Part[]

const given = fc.record(
  Object.fromEntries(
    parts.map((part) => [
      part,
      fc.record(
        Object.fromEntries(
          Object.entries(settable[part]).map(([name, value]) => [name, fc.constantFrom(value, null)]),
        ),
        { requiredKeys: [] },
      ),
    ]),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<Record<Part, Record<string, unknown>>>>

/** A part as a service sends it: what the schema knows, what it does not, and what only the service sets. */
const held = (part: Part): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .record({
      unknown: fc.dictionary(
        fc.stringMatching(/^[a-z][a-zA-Z]{9,12}$/),
        fc.oneof(fc.boolean(), fc.string(), fc.constant({ deep: [1] })),
        { maxKeys: 3 },
      ),
      known: fc.subarray(Object.entries(settable[part])),
      own: fc.subarray([...readOnly[part]] as string[]),
    })
    .map(({ unknown, known, own }) => ({
      ...unknown,
      ...Object.fromEntries(known.map(([name]) => [name, 'before'])),
      ...Object.fromEntries(own.map((name) => [name, 'the service’s'])),
    }))

test('is laid over each part as it was read, and unknown fields in it survive', async () => {
  let current: Record<string, unknown> = {}
  let sent: Record<string, unknown> | undefined
  await using service = await startScripted(({ method, body }): Scripted => {
    if (method !== 'PUT') return { body: { items: [{ id: 'v', ...current }] } }
    sent = body as Record<string, unknown>
    return { body: { id: 'v' } }
  })
  await using graph = await startGraph({ urls: { videos: service.url } })
  await fc.assert(
    fc.asyncProperty(
      given,
      fc.record({
        snippet: held('snippet'),
        status: held('status'),
        recordingDetails: held('recordingDetails'),
        paidProductPlacementDetails: held('paidProductPlacementDetails'),
      }),
      async (input, before) => {
        current = before
        sent = undefined
        const { errors } = await graph.ask(
          'mutation ($input: UpdateVideoInput!) { updateVideo(input: $input) { videoId } }',
          { input: { videoId: 'v', ...input } },
        )
        const expected: Record<string, unknown> = {}
        for (const part of parts) {
          const set = Object.entries(input[part] ?? {}).filter(([, value]) => value !== null)
          if (set.length === 0) continue
          const kept = Object.entries(before[part]).filter(
            ([name]) => !(readOnly[part] as readonly string[]).includes(name),
          )
          expected[part] = Object.fromEntries([...kept, ...set])
        }
        if (Object.keys(expected).length === 0) {
          expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
          expect(sent).toBeUndefined()
          return
        }
        expect(errors).toEqual([])
        expect(sent).toEqual({ id: 'v', ...expected })
      },
    ),
    { numRuns: 60 },
  )
})
