import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createSigner,
  createVerifier,
  routerHeader,
  type SignedRequest,
  signatureHeader,
} from '../../../shared/http/signature.ts'

const secret = 'a secret of many letters'
const signRequest = createSigner(secret)

const requestOf = (
  body: string,
  headers: Readonly<Record<string, string>> = {},
  parts: Partial<SignedRequest> = {},
): SignedRequest => ({
  method: 'POST',
  path: '/graphql',
  audience: 'videos',
  body,
  header: (name) => headers[name],
  ...parts,
})
const sign = (body: string, now?: number): string => signRequest(requestOf(body), now)
const proof = (signature: string, body: string): SignedRequest =>
  requestOf(body, { [signatureHeader]: signature })

test('a signature is taken once, for its own body, by the holder of the same secret', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (body, other) => {
      fc.pre(body !== other)
      const verify = createVerifier(secret)
      const signature = sign(body)
      expect(verify(proof(signature, other))).toBe(false)
      expect(createVerifier('another secret altogether')(proof(signature, body))).toBe(false)
      expect(verify(proof(signature, body))).toBe(true)
      expect(verify(proof(signature, body))).toBe(false)
    }),
  )
})

test.each<[string, Partial<SignedRequest>, Record<string, string>]>([
  ['another method', { method: 'GET' }, {}],
  ['another path', { path: '/graphql?query=%7B__typename%7D' }, {}],
  ['another subgraph', { audience: 'messages' }, {}],
  ["another caller's token", {}, { authorization: 'Bearer b' }],
  ['another credential', {}, { 'x-videos-authorization': 'Bearer d' }],
])('a signature is not valid for %s', (_what, parts, others) => {
  const verify = createVerifier(secret)
  const headers = { authorization: 'Bearer a', 'x-videos-authorization': 'Bearer c' }
  const signature = signRequest(requestOf('b', headers))
  expect(verify(requestOf('b', { ...headers, ...others, [signatureHeader]: signature }, parts))).toBe(false)
  expect(verify(requestOf('b', { [signatureHeader]: signature }))).toBe(false)
  expect(verify(requestOf('b', { ...headers, [signatureHeader]: signature }))).toBe(true)
})

test('a header that was not signed cannot be added', () => {
  const verify = createVerifier(secret)
  const signature = sign('b')
  const added = { authorization: 'Bearer mallory', [signatureHeader]: signature }
  expect(verify(requestOf('b', added))).toBe(false)
  expect(verify(requestOf('b', { authorization: '', [signatureHeader]: signature }))).toBe(false)
  expect(verify(proof(signature, 'b'))).toBe(true)
})

test('equal requests of the same moment are both taken', () => {
  const verify = createVerifier(secret, { now: () => 1_000_000 })
  for (let i = 0; i < 3; i++) expect(verify(proof(sign('b', 1_000_000), 'b'))).toBe(true)
})

test('a signature is taken once however late it comes again, and whatever came between', () => {
  const verify = createVerifier(secret, { now: () => 1_000_000 })
  const signatures = Array.from({ length: 100 }, () => sign('b', 1_000_000))
  fc.assert(
    fc.property(fc.shuffledSubarray(signatures), (some) => {
      const fresh = createVerifier(secret, { now: () => 1_000_000 })
      for (const signature of some) expect(fresh(proof(signature, 'b'))).toBe(true)
      for (const signature of some) expect(fresh(proof(signature, 'b'))).toBe(false)
    }),
  )
  for (const signature of signatures) expect(verify(proof(signature, 'b'))).toBe(true)
  for (const signature of signatures) expect(verify(proof(signature, 'b'))).toBe(false)
})

test('a nonce of another form is refused, even by the holder of the secret', () => {
  const mac = (nonce: string): string =>
    createHmac('sha256', secret)
      .update(`v2\n1000000\n${nonce}\nPOST\n/graphql\nvideos\nauthorization\nx-videos-authorization\nb`)
      .digest('base64url')
  const verify = createVerifier(secret, { now: () => 1_000_000 })
  const taken = (nonce: string) => verify(proof(`t=1000000,n=${nonce},v2=${mac(nonce)}`, 'b'))
  const sender = 'a'.repeat(16)
  for (const nonce of [
    'abcdefgh',
    `${sender}.0`,
    `${sender}.01`,
    `${sender}.1e3`,
    `${sender}.-1`,
    `${sender}.`,
  ]) {
    expect(taken(nonce)).toBe(false)
  }
  expect(taken(`${sender}.1`)).toBe(true)
  expect(taken(`${'b'.repeat(16)}.1`)).toBe(true)
  expect(taken(`${sender}.999999999999999`)).toBe(true)
  expect(taken(`${sender}.1`)).toBe(false)
})

test('a signature outside the window is refused, in the past and in the future', () => {
  const verify = createVerifier(secret, { now: () => 1_000_000, windowMs: 1000 })
  expect(verify(proof(sign('b', 998_000), 'b'))).toBe(false)
  expect(verify(proof(sign('b', 1_002_000), 'b'))).toBe(false)
  expect(verify(proof(sign('b', 999_500), 'b'))).toBe(true)
})

test('a signature in which any character was changed is refused', () => {
  const signature = sign('body')
  fc.assert(
    fc.property(fc.nat({ max: signature.length - 2 }), (at) => {
      const changed = signature[at] === 'x' ? 'y' : 'x'
      const mangled = signature.slice(0, at) + changed + signature.slice(at + 1)
      expect(createVerifier(secret)(proof(mangled, 'body'))).toBe(false)
    }),
  )
})

test('another router proves itself with the static secret', () => {
  const verify = createVerifier(secret)
  const router = (text: string | undefined) =>
    verify(requestOf('x', text === undefined ? {} : { [routerHeader]: text }))
  expect(router(`Bearer ${secret}`)).toBe(true)
  expect(router(`bearer ${secret}`)).toBe(true)
  expect(router(secret)).toBe(false)
  expect(router('Bearer wrong')).toBe(false)
  expect(router(undefined)).toBe(false)
})
