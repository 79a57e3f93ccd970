import fc from 'fast-check'
import { expect, test } from 'vitest'
import { climbs, isPath, readBaseUrl, redirectedPath } from '../../../../subgraphs/kit/rest-client/address.ts'

test.each([
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000', '', true],
  ['http://localhost:9090/prometheus/', 'http://localhost:9090', '/prometheus', true],
  ['https://example.com/select/0:1/prometheus', 'https://example.com', '/select/0:1/prometheus', false],
  ['http://[::1]:80//', 'http://[::1]', '', true],
  ['https://127.example.com', 'https://127.example.com', '', false],
])('the base URL %s is read', (text, origin, prefix, loopback) => {
  expect(readBaseUrl(text, 'metrics')).toEqual({ origin, prefix, loopback })
})

test.each([
  ['not a url', 'is not a URL'],
  ['ftp://example.com', 'must begin with http:// or https://'],
  ['https://user:hunter2@example.com', 'must not contain a user or a password'],
  ['https://example.com/?tenant=hunter2', 'must have no query'],
  ['https://example.com/#hunter2', 'must have no query and no fragment'],
])('the base URL %s is refused without being repeated', (text, fault) => {
  const read = () => readBaseUrl(text, 'metrics')
  expect(read).toThrow(fault)
  expect(read).not.toThrow(/hunter2|example\.com|not a url/)
})

test('no path that a URL parser would shorten passes as one that does not climb', () => {
  const segment = fc.oneof(
    fc.constantFrom('.', '..', '%2e', '%2E%2e', '.%2E', 'a', 'a.b', '...', '%2f', '%2e%2f', ''),
    fc.string({ maxLength: 5 }).map(encodeURIComponent),
  )
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), (segments) => {
      const path = `/base/${segments.join('/')}`
      fc.pre(!climbs(path))
      expect(new URL(path, 'http://host').pathname).toBe(path)
    }),
  )
})

test.each(['/a/../b', '/a/..', '/%2e%2E/b', '/a/.', '/./a', '/a/..%2fb', '/..?x=1'])('%s climbs', (path) => {
  expect(climbs(path)).toBe(true)
})

test.each(['/a', '/a.b/c..d', '/a/...', '/a?next=/../b', '/v1/a%2Fb.c'])('%s does not climb', (path) => {
  expect(climbs(path)).toBe(false)
})

test.each(['', 'a', '//host/a', '/a b', '/a#b', '/a\r\nx: y', '/ä', '/a\\b'])('%j is no path', (path) => {
  expect(isPath(path)).toBe(false)
})

test.each(['/', '/a?b=c&d=%20', "/a:b@c/'x'(y)*"])('%j is a path', (path) => {
  expect(isPath(path)).toBe(true)
})

test.each([
  ['/other?x=1', '/other?x=1'],
  ['other', '/base/other'],
  ['http://host:1/there', '/there'],
  ['http://host:2/there', undefined],
  ['https://host:1/there', undefined],
  ['//elsewhere/there', undefined],
  ['http://user:pw@host:1/there', undefined],
  ['http://[', undefined],
  [undefined, undefined],
])('a redirect to %s leads to %s', (location, path) => {
  expect(redirectedPath('http://host:1', '/base/here', location)).toBe(path)
})
