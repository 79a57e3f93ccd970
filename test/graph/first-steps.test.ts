/**
 * The first steps of a new user: the query of the README, against the sandbox and against a real Prometheus.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { startGraph } from '../support/graph.ts'
import { graphForFile } from '../support/graph-for-file.ts'
import { postJson } from '../support/post-json.ts'
import { startPrometheus, withPrometheus } from '../support/prometheus.ts'

const graph = await graphForFile()

const firstQuery = readFileSync(new URL('../../examples/first-query.graphql', import.meta.url), 'utf8')
const pageOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** A block of a language in the README or another page, by its number among those of this language. */
function block(language: string, number = 0, page = 'README.md'): string {
  const blocks = [...pageOf(page).matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))]
  return blocks[number]?.[1] ?? ''
}

test("the README's first command gives the answer below it", async () => {
  const command = block('sh', 1)
  const [, url, body = ''] =
    /^curl (\S+) --header 'content-type: application\/json' --data '([^']+)'$/.exec(command.trim()) ?? []
  expect(url).toBe('http://127.0.0.1:4000/graphql')
  const response = await postJson(graph.url, body)
  expect(await response.text()).toBe(block('json').trim())
})

test("the README's second command opens a field by a token of the sandbox", async () => {
  const [, body = ''] = / --data '([^']+)'$/.exec(block('sh', 2).trim()) ?? []
  const [, scope = ''] = /\$\(npm run --silent tessera -- token --scope (\S+)\)/.exec(block('sh', 2)) ?? []
  const ask = (authorization: Record<string, string>): Promise<Response> =>
    postJson(graph.url, body, authorization)
  const answer = await ask({ authorization: `Bearer ${await graph.token(scope)}` })
  expect(await answer.json()).toEqual({
    data: { metrics: { query: { series: [{ sample: { value: expect.stringMatching(/^\d+$/) } }] } } },
  })
  expect(await (await ask({})).json()).toMatchObject({
    data: null,
    errors: [{ extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }],
  })
})

test('the query over two services gives the answer of its page, and is the one in examples', async () => {
  expect(block('graphql', 0, 'docs/sandbox.md')).toBe(firstQuery)
  const { data, errors } = await graph.ask(firstQuery, {}, { scope: 'metrics.read' })
  expect(errors).toEqual([])
  const printed = JSON.parse(block('json', 0, 'docs/sandbox.md'))
  expect(data.chartVideos).toEqual(printed.data.chartVideos)
  expect(data.metrics.query.resultType).toBe(printed.data.metrics.query.resultType)
})

describe.skipIf(!withPrometheus('the graph with a real Prometheus that scrapes it'))(
  'with a real Prometheus',
  () => {
    test('the same query tells of the gateway that it is sent to', async () => {
      await using scraped = await startGraph()
      await using prometheus = await startPrometheus({ targets: { tessera: [new URL(scraped.url).host] } })
      await prometheus.until(
        '/query?query=up',
        (data: { result: { value: [number, string] }[] }) => data.result[0]?.value[1] === '1',
      )
      await using graph = await startGraph({ urls: { metrics: prometheus.url } })
      const { data, errors } = await graph.ask(firstQuery)
      expect(errors).toEqual([])
      expect(data.chartVideos.nodes[0].commentThreads.nodes.length).toBe(1)
      expect(data.metrics.query).toEqual({ resultType: 'vector', series: [{ sample: { value: '1' } }] })
      await scraped.ask(firstQuery)
      await prometheus.until(
        '/query?query=sum(tessera_request_duration_seconds_count)',
        (own: { result: { value: [number, string] }[] }) => Number(own.result[0]?.value[1]) > 0,
      )
    })
  },
)
