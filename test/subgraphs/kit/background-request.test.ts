import { expect, test } from 'vitest'
import { backgroundRequest } from '../../../subgraphs/kit/background-request.ts'
import { testGatewayRequest } from '../../support/federation.ts'

const made = () => backgroundRequest('poll', testGatewayRequest(), 1000)

test('a background request calls each listener once when it is cancelled', () => {
  const request = made()
  const heard: string[] = []
  request.onCancel(() => heard.push('a'))
  const leave = request.onCancel(() => heard.push('b'))
  leave()
  request.cancel()
  request.cancel()
  expect(request.cancelled).toBe(true)
  expect(heard).toEqual(['a'])
})

test('a listener that throws fails who cancels, and not the process', () => {
  const request = made()
  request.onCancel(() => {
    throw new Error('broken')
  })
  expect(() => request.cancel()).toThrow('broken')
})

// An object literal with a getter gets a hidden class of its own, which would keep the request of the caller alive.
test('a background request has no getter', () => {
  const getters = Object.entries(Object.getOwnPropertyDescriptors(made())).filter(([, { get }]) => get)
  expect(getters).toEqual([])
})
