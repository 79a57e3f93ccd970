/** Readers of JSON, compared with `JSON.parse`. */

import { parseQuickly } from '../../../fast/parse-body/index.ts'
import { parseExactly } from '../../../shared/json/exact-number.ts'
import { splitJson } from '../../../shared/json/raw.ts'
import { mayBeJson, parseBody } from '../../../subgraphs/kit/rest-client/json.ts'
import { bodyFrom } from '../../../subgraphs/metrics/envelope.ts'
import { Broken, same, targetsOf } from '../target.ts'
import { isTyped, ofClass } from '../typed.ts'

const seeds = [
  '{"data":{"a":[1,2.5,-0,1e3,"\\u00e9\\n"],"b":null},"errors":[],"x":true}',
  '[[1795206056.5,"0.25"],[1795206057,"1"]]',
  '{"id":12345678901234567890,"f":0.1234567890123456789,"e":1e400}',
  '{"a":1,"a":2,"__proto__":{"b":3},"\\u005f_proto__":4}',
  ' \t\r\n"text"',
]
const common = { seeds, words: ['12345678901234567', '0.1000000000000000055', '__proto__', '"data":', '1e5'] }

/** The result of `JSON.parse`; undefined if it refuses. */
function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function depthOf(value: unknown): number {
  let depth = 0
  for (let level = [value]; level.length > 0; depth += 1)
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  return depth
}

const mostDepth = 500

export const targets = targetsOf(import.meta.url, [
  {
    ...common,
    name: 'json-split',
    covers: ['shared/json'],
    run(input) {
      const split = splitJson(input, 'data')
      const whole = parsed(input.toString('utf8'))
      const isUtf8 = Buffer.from(input.toString('utf8')).equals(input)
      if (split === undefined) {
        const isObject =
          typeof whole?.value === 'object' && whole.value !== null && !Array.isArray(whole.value)
        if (isObject && isUtf8 && depthOf(whole.value) < mostDepth)
          throw new Broken('an object that is not split')
        return
      }
      if (whole === undefined) throw new Broken('what is no JSON was split')
      const { data, ...rest } = whole.value as Record<string, unknown>
      same(split.raw?.toJSON(), data, 'the member is as JSON.parse has it')
      same(Object.fromEntries(split.rest), rest, 'the others are as JSON.parse has them')
    },
  },
  {
    ...common,
    name: 'json-exact',
    covers: ['shared/json/exact-number.ts'],
    allows: ofClass(SyntaxError),
    run(input) {
      const text = input.toString('utf8')
      const exact = parseExactly(text)
      // Printing and reading again loses no digit.
      same(parseExactly(JSON.stringify(exact)), exact, 'exact numbers survive')
      same(JSON.parse(JSON.stringify(exact)), JSON.parse(text), 'as JSON.parse has them, rounded')
    },
  },
  {
    ...common,
    name: 'json-body',
    covers: ['subgraphs/kit/rest-client/json.ts', 'fast/parse-body'],
    seeds: [...seeds, '{"kind":"a","items":[{"id":"1","of":[{"id":"2"}]},{"id":"3"},{"id":"4"}],"next":"b"}'],
    allows: ofClass(SyntaxError),
    run(input) {
      const quick = parsedBy(parseQuickly, input)
      const plain = parsedBy(parseBody, input)
      if ((quick === undefined) !== (plain === undefined))
        throw new Broken('one way refuses, the other does not')
      same(quick?.value, plain?.value, 'both ways read the same')
      mayBeJson(input.toString('latin1'))
    },
  },
  {
    ...common,
    seeds: [
      ...seeds,
      '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"a":"b"},"values":[[1,"2"],[3,"4"]]}]},"warnings":["w"]}',
      '{"status":"error","errorType":"bad_data","error":"no","data":null}',
    ],
    name: 'json-envelope',
    covers: ['subgraphs/metrics/envelope.ts', 'shared/json'],
    allows: isTyped,
    run(input) {
      const body = bodyFrom(input, parseBody)
      const split = body.split()
      const whole = body.parsed()
      if (split !== undefined) same(split.status, whole.status, 'the envelope, split')
    },
  },
])

function parsedBy(parse: (body: Buffer) => unknown, body: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: parse(body) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
