import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Credential,
  openCredential,
  parseCredential,
} from '../../../../subgraphs/kit/credentials/index.ts'
import { json, type Script } from '../../../support/faulty-server.ts'
import { testRequest } from '../../../support/request.ts'
import { read, startBench } from '../../../support/upstream.ts'

test.each<[string, Credential]>([
  ['none', { kind: 'none' }],
  ['key:AIza-0_9', { kind: 'key', key: 'AIza-0_9' }],
  ['bearer:abc.def:ghi', { kind: 'bearer', token: 'abc.def:ghi' }],
  ['basic:1234:pass:word', { kind: 'basic', user: '1234', password: 'pass:word' }],
  ['basic:user:', { kind: 'basic', user: 'user', password: '' }],
  ['google:/etc/tessera/account.json', { kind: 'google', file: '/etc/tessera/account.json' }],
  ['forward', { kind: 'forward', header: 'x-videos-authorization' }],
])('%s is read', (text, credential) => {
  expect(parseCredential(text, 'videos')).toEqual(credential)
})

test.each([
  ['', 'one of none, key:KEY'],
  ['hunter2', 'one of none, key:KEY'],
  ['token:hunter2', 'one of none, key:KEY'],
  ['none:hunter2', '"none" alone'],
  ['forward:hunter2', '"forward" alone'],
  ['key:', '"key:" followed by the key'],
  ['key:hunter2 with a space', '"key:" followed by the key'],
  ['bearer:hunter2\r\nx-evil: 1', '"bearer:" followed by the token'],
  ['bearer:hünter2', '"bearer:" followed by the token'],
  ['basic:hunter2', '"basic:" followed by user, a colon and password'],
  ['basic::hunter2', '"basic:" followed by user, a colon and password'],
  ['google:', '"google:" followed by the path'],
])('%j is refused, with what was expected and not what was given', (text, expected) => {
  const parse = () => parseCredential(text, 'videos')
  expect(parse).toThrow(`the credential of videos must be ${expected}`)
  expect(parse).not.toThrow(/h.nter2/)
})

test('no text makes reading fail in another way, or with what was given', () => {
  const kind = fc.constantFrom('none', 'key', 'bearer', 'basic', 'google', 'forward', 'other')
  const secret = fc.string({ minLength: 8 }).map((text) => `S3CR${text}`)
  fc.assert(
    fc.property(kind, secret, (name, text) => {
      try {
        parseCredential(`${name}:${text}`, 'videos')
      } catch (error) {
        expect(String(error)).toContain('the credential of videos must be')
        expect(String(error)).not.toContain('S3CR')
      }
    }),
  )
})

test.each<[Credential, Record<string, string>]>([
  [{ kind: 'none' }, {}],
  [{ kind: 'key', key: 'K-1' }, { 'x-goog-api-key': 'K-1' }],
  [{ kind: 'bearer', token: 'T-1' }, { authorization: 'Bearer T-1' }],
  [{ kind: 'basic', user: 'Jürgen', password: 'a:b' }, { authorization: 'Basic SsO8cmdlbjphOmI=' }],
  [{ kind: 'forward', header: 'x-videos-authorization' }, { authorization: 'Bearer of-the-caller' }],
])('%o leaves as exactly these headers, and not in the URL', async (credential, expected) => {
  await using bench = await startBench(undefined, { credential })
  await bench.upstream.send(
    read('/thing?x=1'),
    testRequest({
      'x-videos-authorization': 'Bearer of-the-caller',
      authorization: 'Bearer for-the-gateway',
    }),
  )
  const [arrived] = bench.server.arrived
  const shown = Object.fromEntries(
    Object.entries(arrived?.headers ?? {}).filter(([name]) => /auth|key|cookie/.test(name)),
  )
  expect({ shown, url: arrived?.url }).toEqual({ shown: expected, url: '/thing?x=1' })
})

const forward: Credential = { kind: 'forward', header: 'x-videos-authorization' }

test('a caller without anything to forward is anonymous', async () => {
  await using bench = await startBench(undefined, { credential: forward })
  await bench.upstream.send(read(), testRequest({ authorization: 'Bearer for-the-gateway' }))
  expect(bench.server.arrived[0]?.headers).not.toHaveProperty('authorization')
  expect(bench.upstream.credentialKey(testRequest())).toBe('none')
})

test('what cannot be a header is not forwarded', async () => {
  await using bench = await startBench(undefined, { credential: forward })
  for (const value of ['a\r\nx-evil: 1', 'Bearer \u0000', '']) {
    await bench.upstream.send(read(), testRequest({ 'x-videos-authorization': value }))
  }
  expect(bench.server.arrived.map(({ headers }) => [headers.authorization, headers['x-evil']])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
  ])
})

test('callers at the same moment are each shown with their own credential', async () => {
  const who: Script = (response, arrived, number, request) =>
    json({ you: arrived.headers.authorization })(response, arrived, number, request)
  await using bench = await startBench(who, { credential: forward })
  const callers = Array.from({ length: 20 }, (_, i) => `Bearer ${i}`)
  const answers = await Promise.all(
    callers.map((caller) =>
      bench.upstream.send<{ you: string }>(read(), testRequest({ 'x-videos-authorization': caller })),
    ),
  )
  expect(answers.map(({ body }) => body.you)).toEqual(callers)
})

test('keys are equal for the same credential only, and hold no secret', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 6, maxLength: 8 })
  const credential: fc.Arbitrary<Credential> = fc.oneof(
    word.map((key) => ({ kind: 'key' as const, key })),
    word.map((token) => ({ kind: 'bearer' as const, token })),
    fc.tuple(word, word).map(([user, password]) => ({ kind: 'basic' as const, user, password })),
  )
  const keyOf = (one: Credential) => openCredential(one, 'videos').key(testRequest())
  fc.assert(
    fc.property(credential, credential, (one, other) => {
      expect(keyOf(one) === keyOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      for (const secret of Object.values(one).slice(1)) expect(keyOf(one)).not.toContain(secret)
    }),
  )
})

test('forwarded credentials have a key for each caller', () => {
  const { key } = openCredential(forward, 'videos')
  const of = (value: string) => key(testRequest({ 'x-videos-authorization': value }))
  expect(of('Bearer secret-a')).toBe(of('Bearer secret-a'))
  expect(of('Bearer secret-a')).not.toBe(of('Bearer secret-b'))
  expect(of('Bearer secret-a')).not.toContain('secret-a')
})
