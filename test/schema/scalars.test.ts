/** `schema/scalars.json`: a type for each scalar that clients see, the one that answers really have. */
import { readFileSync } from 'node:fs'
import { buildSchema, isScalarType, isSpecifiedScalarType } from 'graphql'
import { expect, test } from 'vitest'
import scalars from '../../schema/scalars.json' with { type: 'json' }
import { startGraph } from '../support/graph.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const types: Readonly<Record<string, string>> = scalars

test('every scalar of the graph has a type, and docs/apps.md has the same', () => {
  const custom = Object.values(buildSchema(read('schema/api.graphql')).getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name }) => name)
  expect(Object.keys(types).sort()).toEqual([...custom, 'ID'].sort())
  const rows = [...read('docs/apps.md').matchAll(/^\| `(\w+)` \| .+ \| `(.+)` \|$/gm)].map(
    ([, name = '', type = '']) => [name, type.replace('\\|', '|')],
  )
  expect(Object.fromEntries(rows.filter(([name = '']) => name in types))).toEqual(types)
})

test('values in answers are of these types, and arguments are taken in each of them', async () => {
  await using graph = await startGraph()
  const { data, errors } = await graph.ask(
    `{
      video(videoId: "gpjq6LtmV2f") { id snippet { publishedAt } statistics { viewCount } }
      metrics {
        text: query(query: "up", time: "2026-11-20T20:21:07Z", timeout: "15s") { series { metric } }
        number: query(query: "up", time: 1795206067.5, timeout: 15) { series { metric } }
      }
      message(messageId: "1780000000000000000") { publicMetrics { likeCount } }
    }`,
  )
  expect(errors).toEqual([])
  const values = {
    ID: data?.video.id,
    DateTime: data?.video.snippet.publishedAt,
    UInt64: data?.video.statistics.viewCount,
    UnsignedInt: data?.message.publicMetrics.likeCount,
  }
  for (const [name, value] of Object.entries(values))
    expect([name, typeof value]).toEqual([name, types[name]])
  expect(types.JSON).toBe('unknown')
  for (const asked of ['text', 'number'] as const)
    expect(data?.metrics[asked].series[0]?.metric).toEqual(expect.any(Object))
  expect([types.MetricsTime, types.MetricsDuration]).toEqual(['string | number', 'string | number'])
})
