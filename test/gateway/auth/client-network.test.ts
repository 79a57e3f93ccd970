import { expect, test } from 'vitest'
import { networkOf } from '../../../gateway/auth/client-network.ts'

test('addresses of one IPv6 network count as one caller', () => {
  expect(networkOf('2001:db8:0:1::5')).toBe(networkOf('2001:db8:0:1:2:3:4:5'))
  expect(networkOf('2001:db8:0:1::5')).not.toBe(networkOf('2001:db8:0:2::5'))
  expect(networkOf('::1')).toBe('0:0:0:0')
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('::ffff:192.0.2.1')).toBe('::ffff:192.0.2.1')
})
