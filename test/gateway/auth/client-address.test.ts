import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createClientAddress, networkOf } from '../../../gateway/auth/client-address.ts'

test('addresses of one IPv6 network count as one caller', () => {
  expect(networkOf('2001:db8:0:1::5')).toBe(networkOf('2001:db8:0:1:2:3:4:5'))
  expect(networkOf('2001:db8:0:1::5')).not.toBe(networkOf('2001:db8:0:2::5'))
  expect(networkOf('::1')).toBe('0:0:0:0')
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('::ffff:192.0.2.1')).toBe('::ffff:192.0.2.1')
})

const from = (remoteAddress: string | undefined) => ({ remoteAddress }) as Socket

test.each([
  ['nothing is passed on', '10.0.0.1', undefined, '10.0.0.1'],
  ['one proxy', '10.0.0.1', '192.0.2.7', '192.0.2.7'],
  ['a proxy over a socket of both families', '::ffff:10.0.0.1', '192.0.2.7', '192.0.2.7'],
  ['two proxies', '10.0.0.1', '192.0.2.7, 10.9.9.9', '192.0.2.7'],
  ['an address that the client made up', '10.0.0.1', '198.51.100.1, 192.0.2.7', '192.0.2.7'],
  ['a client that names our proxies', '10.0.0.1', '10.0.0.2, 10.0.0.3, 192.0.2.7', '192.0.2.7'],
  ['a connection of somebody else', '192.0.2.9', '198.51.100.1', '192.0.2.9'],
  ['proxies alone', '10.0.0.1', '10.0.0.2,10.0.0.3', '10.0.0.2'],
  ['a port', '10.0.0.1', '192.0.2.7:4711', '192.0.2.7'],
  ['IPv6', '2001:db8:ffff::1', '2001:db8::7', '2001:db8::7'],
  ['IPv6 with a port', '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
  ['no address', '10.0.0.1', '192.0.2.7, unknown', '10.0.0.1'],
  ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ['empty elements', '10.0.0.1', '192.0.2.7,,', '10.0.0.1'],
  ['a connection that has ended', undefined, '192.0.2.7', undefined],
])('the address of a client behind trusted proxies: %s', (_, peer, passed, expected) => {
  const addressOf = createClientAddress(['10.0.0.0/8', '2001:db8:ffff::1'])
  expect(addressOf(passed === undefined ? {} : { 'x-forwarded-for': passed }, from(peer))).toBe(expected)
})

test('no header is believed if no proxy is trusted', () => {
  expect(createClientAddress([])({ 'x-forwarded-for': '192.0.2.7' }, from('127.0.0.1'))).toBe('127.0.0.1')
})
