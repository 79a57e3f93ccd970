/** A service that hangs while it is polled, behind a gateway in a process of its own. */
import { expect, test } from 'vitest'
import { startSandbox } from '../../../sandbox/index.ts'
import { startFaultyServer } from '../../support/faulty-server.ts'
import { allScopes } from '../../support/graph.ts'
import { postJson } from '../../support/post-json.ts'
import { startTessera } from '../../support/process.ts'
import { signToken, tokenSecret } from '../../support/token.ts'
import { connect, type Followed, follow, wait } from './kit.ts'

/** Two gauges; a request for `stuck` waits as long as it hangs. */
async function startMetrics() {
  const asked = { stuck: 0, free: 0 }
  let underWay = 0
  let most = 0
  const gauges = { stuck: 1, free: 1, hangs: false }
  const server = await startFaultyServer((response, { url, body }) => {
    const name = `${url} ${body}`.includes('stuck') ? 'stuck' : 'free'
    asked[name] += 1
    if (name === 'stuck' && gauges.hangs) {
      underWay += 1
      // The end of a call that was given up is read here some turns after the next one came. Calls that overlap do so
      // for seconds, until the first one's time is over.
      setTimeout(() => {
        setImmediate(() => {
          most = Math.max(most, underWay)
        })
      }, 500)
      response.on('close', () => {
        underWay -= 1
      })
      return
    }
    const result = [{ metric: { __name__: name }, value: [Date.now() / 1000, String(gauges[name])] }]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }))
  })
  return { server, gauges, asked, underWay: () => underWay, mostUnderWay: () => most }
}

test('holds one call of its own poller: others continue, and the changes meanwhile come once when it is back', async () => {
  await using sandbox = await startSandbox()
  const metrics = await startMetrics()
  await using _server = metrics.server
  await using gateway = startTessera(['serve', '--port', '0'], {
    TESSERA_VIDEOS_URL: sandbox.url,
    TESSERA_AGENTS_URL: sandbox.url,
    TESSERA_MESSAGES_URL: sandbox.url,
    TESSERA_METRICS_URL: metrics.server.url,
    TESSERA_JWT_SECRET: tokenSecret,
    TESSERA_METRICS_INTERVAL: '1s',
    TESSERA_UPSTREAM_TIMEOUT_MS: '4000',
    TESSERA_EXPLORER: 'off',
    TESSERA_LOG_LEVEL: 'warn',
  })
  const url = await gateway.said('graph')
  const token = await signToken({ scope: allScopes })
  const authorization = `Bearer ${token}`
  const client = connect({ wsUrl: url.replace('http', 'ws') }, { authorization })
  const gauge = (name: string): Followed =>
    follow(
      client,
      `subscription { metricsQuery(query: "${name}", every: "1s") { series { sample { value } } } }`,
    )
  const [stuck, same, free] = [gauge('stuck'), gauge('stuck'), gauge('free')]
  const values = ({ results }: Followed): number[] =>
    results.map(({ data }) => Number(data?.metricsQuery.series[0]?.sample.value))
  await expect.poll(() => [stuck, same, free].map(values), wait).toEqual([[1], [1], [1]])

  metrics.gauges.hangs = true
  const before = metrics.asked.stuck
  await expect.poll(metrics.underWay, wait).toBe(1)
  for (const value of [2, 3, 4]) {
    metrics.gauges.stuck = value
    metrics.gauges.free = value
    await expect.poll(() => values(free).at(-1), wait).toBe(value)
    const answer = await postJson(
      url,
      { query: '{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } }' },
      { authorization },
    )
    expect(await answer.json()).toMatchObject({ data: { chartVideos: { nodes: [{}] } } })
  }
  // It is given up, and asked again after a longer while.
  await expect.poll(() => metrics.asked.stuck - before, wait).toBeGreaterThanOrEqual(2)
  expect([stuck, same].map(values)).toEqual([[1], [1]])

  metrics.gauges.hangs = false
  await expect
    .poll(() => [stuck, same].map(values), wait)
    .toEqual([
      [1, 4],
      [1, 4],
    ])
  metrics.gauges.stuck = 5
  await expect
    .poll(() => [stuck, same].map(values), wait)
    .toEqual([
      [1, 4, 5],
      [1, 4, 5],
    ])
  expect(metrics.mostUnderWay()).toBe(1)
  expect(values(free)).toEqual([1, 2, 3, 4])
  expect([stuck, same, free].some(({ errors, completed }) => errors.length > 0 || completed)).toBe(false)
})
