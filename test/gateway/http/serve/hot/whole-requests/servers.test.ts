/** The servers that answer plain requests without `node:http`. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { PerformanceObserver } from 'node:perf_hooks'
import { expect, onTestFinished, test } from 'vitest'
import { startGraph } from '../../../../../support/graph.ts'
import { until } from '../../../../../support/patience.ts'
import { serviceSecret, startServices } from '../../../../../support/services.ts'
import { post } from './requests.ts'

/** Requests that `node:http` has answered from now on. Observing them so keeps nothing from being answered without it. */
function countHttp(): () => number {
  let count = 0
  const observer = new PerformanceObserver((list) => {
    count += list.getEntries().filter(({ name }) => name === 'HttpRequest').length
  })
  observer.observe({ entryTypes: ['http'] })
  onTestFinished(() => observer.disconnect())
  return () => count + observer.takeRecords().filter(({ name }) => name === 'HttpRequest').length
}

/** Sends these one after the other on one connection; the bodies of the responses. */
async function talk(url: string, sent: readonly string[]): Promise<string[]> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  await once(socket, 'connect')
  const bodies: string[] = []
  for (const request of sent) {
    text = ''
    socket.write(request)
    await until(() => /\r\n\r\n[\s\S]*\}\s*$/.test(text), 'a response')
    bodies.push(text.slice(text.indexOf('\r\n\r\n') + 4).trim())
  }
  socket.destroy()
  return bodies
}

const query = '{"query":"{ __typename }"}'
const answer = '{"data":{"__typename":"Query"}}'

test('a gateway answers all but the first plain request of a connection so', async () => {
  await using graph = await startGraph()
  const counted = countHttp()
  const bodies = await talk(graph.url, Array<string>(5).fill(post(query)))
  expect(bodies).toEqual(Array(5).fill(answer))
  await until(() => counted() === 1, 'node:http has answered the first')
  // One that is not plain comes between: by the one after it the client shows that it sends plain ones as well.
  const inPieces = post(query, ['accept: application/json, multipart/mixed'])
  const other = [post(query), inPieces, post(query), post(query)]
  expect(await talk(graph.url, other)).toEqual(Array(4).fill(answer))
  await until(() => counted() === 4, 'node:http has answered three more')
})

test('so does a subgraph service', async () => {
  await using services = await startServices('http://127.0.0.1:1', {}, ['nodes'])
  const counted = countHttp()
  const own = post(query, [`router-authorization: Bearer ${serviceSecret}`])
  const stranger = post(query)
  const bodies = await talk(services.urls.nodes, [own, own, stranger, own])
  expect(bodies.map((body) => body === answer)).toEqual([true, true, false, true])
  expect(bodies[2]).toContain('"code":"UNAUTHENTICATED"')
  await until(() => counted() === 1, 'node:http has answered the first')
})
