/** Samples that are written from the service's bytes: the same answers as from the plain field, always. */

import fc from 'fast-check'
import { Kind, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { takePartialErrors } from '../../../../contract/partial-errors.ts'
import { RawJson } from '../../../../contract/json/raw.ts'
import { createExecutor } from '../../../../gateway/engine/transport/executor/index.ts'
import { withWrittenSamples } from '../../../../subgraphs/metrics/hot/written-samples.ts'
import { createMetricsSubgraph } from '../../../../subgraphs/metrics/index.ts'
import { testRequest } from '../../../support/request.ts'
import { startService } from '../kit.ts'

const often = <T>(arbitrary: fc.Arbitrary<T>) => ({ weight: 20, arbitrary })
const time = fc.oneof(
  often(fc.integer({ min: 1, max: 4_000_000_000 }).map(String)),
  often(fc.integer({ min: 1, max: 4_000_000_000_000 }).map((ms) => String(ms / 1000))),
  fc.constantFrom(
    '0',
    '-1',
    '1.50',
    '1e9',
    '1795206056.1234567',
    '123456789012345678',
    '1e999',
    '"1"',
    'null',
  ),
)
const value = fc.oneof(
  often(fc.double().map((number) => JSON.stringify(String(number)))),
  often(fc.constantFrom('"NaN"', '"+Inf"', '"-Inf"', '""', '"007"', '"1.50"', '"é"')),
  fc.constantFrom('"a\\"b"', '"\\u00e9"', '1', 'null'),
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
)
const pair = fc.oneof(
  { weight: 20, arbitrary: fc.tuple(time, value).map(([t, v]) => `[${t},${v}]`) },
  { weight: 1, arbitrary: fc.constantFrom('[]', '[1]', '{}', 'null', '[1,"2",3]', '[ 1 , "2" ]') },
)
const space = fc.constantFrom('', '', '', ' ', '\n')
const values = fc
  .tuple(fc.array(pair, { maxLength: 6 }), space)
  .map(([pairs, gap]) => `[${gap}${pairs.join(`${gap},${gap}`)}${gap}]`)
const series = fc
  .record({
    values: fc.oneof(
      { weight: 9, arbitrary: values },
      { weight: 1, arbitrary: fc.constantFrom('null', '{}') },
    ),
    host: fc.string(),
  })
  .map(({ values, host }) => `{"metric":${JSON.stringify({ host })},"values":${values}}`)
const type = fc.constantFrom('matrix', 'matrix', 'matrix', 'matrix', 'vector')
const body = fc
  .tuple(type, fc.array(series, { maxLength: 3 }))
  .map(([type, all]) => `{"status":"success","data":{"resultType":"${type}","result":[${all.join(',')}]}}`)

const member = fc.tuple(
  fc.constantFrom('', 'a: ', 'b: '),
  fc.constantFrom('time', 'value', 'float', '__typename'),
)
const selection = fc
  .uniqueArray(member, { minLength: 1, maxLength: 5, selector: ([alias, name]) => alias || name })
  .map((members) => members.map(([alias, name]) => alias + name).join(' '))

describe('written samples', () => {
  it('are what the plain field answers, whatever the service sent and whatever is selected', async () => {
    let sent = ''
    await using service = await startService(() => ({ text: sent, contentType: 'application/json' }))
    const subgraph = createMetricsSubgraph({
      server: 'prometheus',
      baseUrl: service.url,
      credential: { kind: 'none' },
    })
    const { inProcess } = subgraph
    if (inProcess === undefined) throw new Error('the subgraph has nothing for its own process')
    let written = 0
    const answer = async (schema: typeof subgraph.schema, document: ReturnType<typeof parse>) => {
      const [operation] = document.definitions
      if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('there is no operation')
      const context = subgraph.createContext(testRequest())
      const { data, errors = [] } = await createExecutor(schema, document, operation)(context, {})
      written += countRaw(data)
      return {
        data: JSON.parse(JSON.stringify(data)) as unknown,
        errors: [...errors, ...takePartialErrors(context)].map(({ path, extensions }) => [
          path,
          extensions?.code,
        ]),
      }
    }
    await fc.assert(
      fc.asyncProperty(body, selection, async (text, members) => {
        sent = text
        const document = parse(
          `{ metrics { queryRange(query: "x", start: 1, end: 2, step: 1) {
            resultType series { label(name: "host") samples { ${members} } } } } }`,
        )
        const rewritten = inProcess.rewrite(document)
        expect(rewritten).not.toBe(document)
        expect(await answer(inProcess.schema, rewritten)).toEqual(await answer(subgraph.schema, document))
      }),
      { numRuns: 400 },
    )
    // The common form is really written, not parsed.
    expect(written).toBeGreaterThan(100)
    await subgraph.close()
  })

  it.each([
    ['a condition', 'series { samples { time @include(if: true) value } }'],
    ['a condition on the field', 'series { samples @skip(if: false) { time } }'],
    ['a fragment in it', 'series { samples { ... { time } } }'],
    ['a fragment around it', 'series { ...S }', 'fragment S on MetricsSeries { samples { time } }'],
    ['the same place twice', 'series { samples { time } } series { samples { value } }'],
    ['no samples', 'series { sample { time } }'],
  ])('leave %s to the executor', (_, fields, more = '') => {
    const { inProcess } = createMetricsSubgraph({ baseUrl: 'http://127.0.0.1', credential: { kind: 'none' } })
    const document = parse(
      `{ metrics { queryRange(query: "x", start: 1, end: 2, step: 1) { ${fields} } } } ${more}`,
    )
    const schema = inProcess?.schema
    if (schema === undefined) throw new Error('the subgraph has nothing for its own process')
    expect(withWrittenSamples(schema, document)).toEqual(document)
  })

  it('are nothing that the subgraph shows to others', () => {
    const { schema, typeDefs } = createMetricsSubgraph({
      server: 'prometheus',
      baseUrl: 'http://127.0.0.1',
      credential: { kind: 'none' },
    })
    expect(JSON.stringify([schema.getType('MetricsSeries')?.toConfig(), typeDefs])).not.toContain(
      'samplesWritten',
    )
  })
})

function countRaw(value: unknown): number {
  if (value instanceof RawJson) return 1
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, one) => sum + countRaw(one), 0)
}
