import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayBeJson, parseJson } from '../../../../subgraphs/kit/rest-client/json.ts'

function hasProtoKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey)
}

test('JSON without a key __proto__ comes back as it is', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      fc.pre(!hasProtoKey(JSON.parse(text)))
      // Long numbers keep the digits with which they are written.
      expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
})

test('a key __proto__ with a text is a key like any other, and changes nothing', () => {
  const value = parseJson('{"labels":{"a":"1","__proto__":"x","\\u005f_proto__2":"y"},"__proto__":7}') as {
    labels: Record<string, string>
  }
  expect(Object.entries(value.labels)).toEqual([
    ['a', '1'],
    ['__proto__', 'x'],
    ['__proto__2', 'y'],
  ])
  expect(Object.keys(value)).toEqual(['labels'])
  expect(Object.getPrototypeOf(value.labels)).toBe(Object.prototype)
})

test('no key __proto__ with an object survives, however deep and however escaped', () => {
  const letter = (char: string) => {
    const hex = char.charCodeAt(0).toString(16).padStart(4, '0')
    return fc.constantFrom(char, `\\u${hex}`, `\\u${hex.toUpperCase()}`)
  }
  const key = fc.tuple(...[...'__proto__'].map(letter)).map((letters) => letters.join(''))
  const space = fc.constantFrom('', ' ', '\n\t')
  fc.assert(
    fc.property(key, space, fc.nat(5), (name, gap, depth) => {
      let text = `{"keep":1,"${name}"${gap}:{"polluted":true}}`
      for (let i = 0; i < depth; i++) text = i % 2 === 0 ? `[${text}]` : `{"in":${text}}`
      const value = parseJson(text)
      expect(hasProtoKey(value)).toBe(false)
      expect(JSON.stringify(value)).toContain('"keep":1')
      expect(JSON.stringify(value)).not.toContain('polluted')
    }),
  )
})

test('the words __proto__ in a string do not matter', () => {
  expect(parseJson('{"text":"the key __proto__: is one"}')).toEqual({ text: 'the key __proto__: is one' })
})

test('a byte order mark is skipped', () => {
  expect(parseJson('\ufeff{"a":1}')).toEqual({ a: 1 })
})

test('invalid JSON throws', () => {
  expect(() => parseJson('<html>')).toThrow(SyntaxError)
})

test.each([
  ['application/json', true],
  ['application/json; charset=UTF-8', true],
  ['Application/JSON', true],
  ['application/problem+json', true],
  ['text/json', true],
  [undefined, true],
  ['text/html', false],
  ['text/plain; charset=utf-8', false],
  ['application/jsonp', false],
  ['application/octet-stream', false],
])('the content type %s may be JSON: %s', (type, may) => {
  expect(mayBeJson(type)).toBe(may)
})
