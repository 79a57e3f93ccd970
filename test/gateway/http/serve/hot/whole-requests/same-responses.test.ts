/** Whatever is sent, and however it is cut, clients receive what they receive where `node:http` reads every request. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { campaignSize } from '../../../../../support/campaign-size.ts'
import { until } from '../../../../../support/patience.ts'
import { begins, post, refused, requests } from './requests.ts'
import { normal, open, type Serving, serve } from './serving.ts'

/** Bytes that are sent at once, in pieces, before the responses to all of them have come. */
const bursts = fc.array(
  fc.record({
    texts: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom([refused], [refused], [begins]) },
      fc.array(
        fc.oneof(
          fc.constantFrom(
            ...[refused, begins, post(refused), post(begins, ['x-request-id: a-1'])],
            ...[post('{ a }', ['connection: keep-alive', 'x-request-id: a-2']), post('{ a }', [], '/other')],
            'POST /graphql HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{ a\r\n2\r\n }\r\n0\r\n\r\n',
            ...[
              post('{ a }', ['expect: 100-continue']),
              'GET /graphql?query={a} HTTP/1.1\r\nhost: a\r\n\r\n',
            ],
          ),
          requests,
        ),
        { minLength: 1, maxLength: 3 },
      ),
    ),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 2 }),
  }),
  { minLength: 2, maxLength: 8 },
)

async function talk(
  serving: Serving,
  sent: readonly { texts: readonly string[]; cuts: readonly number[] }[],
): Promise<{ readonly text: string; readonly isReset: boolean }> {
  const client = await open(serving)
  let isOver = false
  let isReset = false
  client.socket.on('error', () => {
    isReset = true
  })
  void client.ended.then(() => {
    isOver = true
  })
  for (const { texts, cuts } of sent) {
    const bytes = Buffer.from(texts.join(''), 'latin1')
    const before = client.count()
    const ends = [...cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b), bytes.length]
    let from = 0
    for (const end of ends) {
      if (end > from) client.socket.write(bytes.subarray(from, end))
      from = end
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    // What is not a whole request gets no response: the next burst goes on with it.
    for (let turns = 0; turns < 20 && !isOver && client.count() < before + texts.length; turns++)
      await new Promise((resolve) => setTimeout(resolve, 1))
  }
  client.socket.end()
  await client.ended
  return { text: normal(client.text()), isReset }
}

test('a client receives what it receives where node:http reads every request', async () => {
  const plain = await serve({ plain: true, byStreams: true })
  const whole = await serve({ byStreams: true })
  let resets = 0
  await fc.assert(
    fc.asyncProperty(bursts, async (sent) => {
      const [one, other] = [await talk(whole, sent), await talk(plain, sent)]
      if (!one.isReset && !other.isReset) expect(one.text).toBe(other.text)
      // What was sent after a request that cannot be read resets the connection, and what the client had not read is lost.
      else expect(one.text.startsWith(other.text) || other.text.startsWith(one.text)).toBe(true)
      resets += one.isReset || other.isReset ? 1 : 0
      await until(() => whole.underWay() === 0 && plain.underWay() === 0, 'all that began has ended')
    }),
    { numRuns: campaignSize(1000) },
  )
  expect(whole.read()).toBeLessThan(plain.read() * 0.9)
  expect(resets).toBeLessThan(campaignSize(1000) / 2)
})
