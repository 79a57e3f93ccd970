/** A real process that gets more than it can answer: right answers or honest refusals, and nothing left of it after. */
import { Pool } from 'undici'
import { expect, test } from 'vitest'
import { startTessera } from '../support/process.ts'

const query =
  '{ chartVideos(chart: MOST_POPULAR, first: 50) { nodes { videoId snippet { title description channelTitle } statistics { viewCount likeCount } } } }'

interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

test('under overload each request is answered rightly or refused with 503, and all is well after it', async () => {
  await using process = startTessera(['serve', '--port', '0'], {
    TESSERA_MAX_WAIT_MS: '200',
    TESSERA_SHARE_EQUAL: 'false',
    TESSERA_LOG_LEVEL: 'warn',
    // What is admitted is answered, however slow the machine is.
    TESSERA_UPSTREAM_TIMEOUT_MS: '600000',
    TESSERA_REQUEST_TIMEOUT_MS: '600000',
  })
  const { origin } = new URL(await process.said('graph'))
  const pool = new Pool(origin, { connections: 400, headersTimeout: 60_000, bodyTimeout: 60_000 })
  const ask = async (): Promise<Answer> => {
    const { statusCode, headers, body } = await pool.request({
      method: 'POST',
      path: '/graphql',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const retryAfter = headers['retry-after']
    return {
      status: statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      text: await body.text(),
    }
  }
  const statusOf = async (path: string): Promise<number> => (await fetch(`${origin}${path}`)).status

  const alone = await ask()
  expect(alone.status).toBe(200)
  expect(alone.text).not.toContain('"errors"')

  // Arrivals that wait for no answer, more and more of them, until enough were refused.
  const answers: Answer[] = []
  const asked: Promise<unknown>[] = []
  const refused = (): Answer[] => answers.filter(({ status }) => status === 503)
  const beside: number[] = []
  for (let burst = 20; refused().length < 50; burst = Math.min(400, burst + 20)) {
    for (let n = 0; n < burst; n++) asked.push(ask().then((answer) => answers.push(answer)))
    if (burst % 100 === 0) beside.push(await statusOf('/health/live'), await statusOf('/metrics'))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await Promise.all(asked)

  expect(answers).toHaveLength(asked.length)
  expect(beside.filter((status) => status !== 200)).toEqual([])
  for (const { status, retryAfter, text } of answers) {
    if (status === 200) {
      expect(text).toBe(alone.text)
      continue
    }
    expect(status).toBe(503)
    expect(['1', '2', '3']).toContain(retryAfter)
    expect(JSON.parse(text)).toEqual({
      errors: [
        {
          message: 'More requests arrive than can be answered in time.',
          extensions: { code: 'SERVICE_BUSY', retryAfter: Number(retryAfter) },
        },
      ],
    })
  }
  expect(answers.length - refused().length).toBeGreaterThan(0)

  await expect.poll(() => process.output()).toContain('overload is over')
  // On a busy machine one more may be refused.
  await expect.poll(ask).toEqual(alone)
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  expect(metrics).toMatch(
    new RegExp(`^tessera_refused_total\\{reason="overload"\\} ${refused().length}$`, 'm'),
  )
  await pool.destroy()
})
