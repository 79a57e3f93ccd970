/** Server-sent events out of bytes: as the standard reads them, however the bytes are cut, and within a bound. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventStreamReader, type ServerSentEvent } from '../../../shared/http/event-stream.ts'

function readAll(chunks: readonly Buffer[], mostBytes = 10_000) {
  const events: ServerSentEvent[] = []
  const retries: number[] = []
  const reader = new EventStreamReader({
    mostBytes,
    event: (event) => void events.push(event),
    retry: (milliseconds) => void retries.push(milliseconds),
  })
  const isRead = chunks.every((chunk) => reader.read(chunk))
  return { events, retries, isRead }
}
const read = (text: string, mostBytes?: number) => readAll([Buffer.from(text)], mostBytes)

test('fields, comments, several lines of data, ids of single events, and the ends of lines', () => {
  expect(read('\uFEFF: hello\nevent: next\ndata: {"a":1}\nid: 7\n\ndata:b\ndata: c\n\n').events).toEqual([
    { event: 'next', data: '{"a":1}', id: '7' },
    { event: 'message', data: 'b\nc', id: undefined },
  ])
  expect(read('data: a\r\n\r\ndata: b\r\rid\ndata\n\nid: \0\ndata: d\n\n').events).toEqual([
    { event: 'message', data: 'a', id: undefined },
    { event: 'message', data: 'b', id: undefined },
    { event: 'message', data: '', id: undefined },
    { event: 'message', data: 'd', id: undefined },
  ])
})

test('an event without data is skipped, one without its end has not come, and unknown fields are ignored', () => {
  expect(read('event: next\n\nother: x\ndata: a').events).toEqual([])
})

test('the end of a subscription needs no data', () => {
  expect(read('event: complete\n\n').events).toEqual([{ event: 'complete', data: '', id: undefined }])
})

test('retry is a number of milliseconds, or nothing', () => {
  expect(read('retry: 1500\nretry: soon\nretry: -1\nretry: 99999999999\n\n').retries).toEqual([1500])
})

test('a line or event that is longer than the bound is not read further', () => {
  expect(read(`data: ${'x'.repeat(200)}\n\n`, 100).isRead).toBe(false)
  expect(read(`data: ${'x'.repeat(200)}`, 100).isRead).toBe(false)
  expect(read('data: x\n'.repeat(30), 100).isRead).toBe(false)
  expect(read('data: x\n\n'.repeat(30), 100).isRead).toBe(true)
  for (const text of ['data: x\ndata: yz\n\n', 'data: x\ndata: yz']) {
    expect(read(text, 15).isRead).toBe(true)
    expect(read(text, 14).isRead).toBe(false)
  }
})

test('heartbeats do not add up to a long event, however long nothing else comes', () => {
  const beats = Array.from({ length: 1000 }, () => Buffer.from(': still here\n'))
  expect(readAll([...beats, Buffer.from('data: a\n\n')], 100)).toMatchObject({
    events: [{ event: 'message', data: 'a' }],
    isRead: true,
  })
})

/** The events and retries of a whole text, line by line as in section 9.2.6 of the standard; ids are of one event. */
function interpreted(text: string) {
  const events: ServerSentEvent[] = []
  const retries: number[] = []
  let [event, data, id]: [string, string[], string | undefined] = ['', [], undefined]
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  // Only a line that has ended has come.
  for (const line of lines.slice(0, -1)) {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (line === '') {
      if (data.length > 0) {
        events.push({ event: event || 'message', data: data.join('\n'), id })
        id = undefined
      }
      ;[event, data] = ['', []]
    } else if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else if (field === 'id') id = value || undefined
    else if (field === 'retry' && /^\d+$/.test(value)) retries.push(Number(value))
  }
  return { events, retries, isRead: true }
}

test('events come as the standard reads them, however the bytes are cut', () => {
  const line = fc.constantFrom(
    ...['data: ä€𝄞', 'data:  :a:', 'data', ': c', ':', 'id: 1', 'id', 'event: next', 'event'],
    ...['retry: 5', 'x', '', '\uFEFF', '\uFEFFdata: b', 'data\uFEFF: b', 'data: c\uFEFF'],
  )
  const end = fc.constantFrom('\n', '\r\n', '\r')
  const text = fc.array(fc.tuple(line, end), { maxLength: 30 })
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 10 }), (lines, cuts) => {
      const whole = lines.flat().join('')
      const bytes = Buffer.from(whole)
      const at = [...new Set(cuts.map((cut) => Math.min(cut, bytes.length)))].sort((a, b) => a - b)
      const chunks = [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length))
      expect(readAll(chunks)).toEqual(interpreted(whole))
    }),
  )
})

test.each(['\r', '\n', '\r\n'])(
  'each byte is looked at twice at most, however many lines end in %j',
  (end) => {
    const bytesLookedAt = (lines: number): number => {
      const bytes = Buffer.from(`:${end}`.repeat(lines))
      let count = 0
      bytes.indexOf = (value, from = 0) => {
        const found = Buffer.prototype.indexOf.call(bytes, value, from)
        count += (found < 0 ? bytes.length : found + 1) - Number(from)
        return found
      }
      readAll([bytes])
      expect(count).toBeGreaterThanOrEqual(bytes.length)
      return count / bytes.length
    }
    expect(bytesLookedAt(1000)).toBeLessThanOrEqual(2)
    expect(bytesLookedAt(8000)).toBeLessThanOrEqual(2)
  },
)
