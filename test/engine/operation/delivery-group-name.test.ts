/** Names of delivery groups: the level is in the name, and no client can use one. */
import { expect, test } from 'vitest'
import {
  deliveryGroupName,
  isDeliveryGroupName,
  levelOf,
} from '../../../engine/operation/delivery-group-name.ts'

test('the name of a group says its level, and the first response has level 0', () => {
  expect(['', '#p1_0', '#p12_3', '#p3_12'].map(levelOf)).toEqual([0, 1, 12, 3])
  for (const level of [1, 9, 10, 123]) expect(levelOf(deliveryGroupName(level, 45))).toBe(level)
})

test('no variable of a client is taken for a group', () => {
  expect([deliveryGroupName(1, 0), 'p1_0', 'a', 'a#p1_0', ''].map(isDeliveryGroupName)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})
