/** `Vary` of a response whose parts each depend on some headers. */
import { expect, test } from 'vitest'
import { joinedVary } from '../../../gateway/headers/index.ts'

test.each<[values: (string | undefined)[], joined: string]>([
  [['Origin', 'accept, accept-encoding'], 'Origin, accept, accept-encoding'],
  [['Origin,Accept', undefined, ' accept , origin', ''], 'Origin, Accept'],
  [['accept', '*', 'authorization'], '*'],
  [[undefined], ''],
])('of %j is %j', (values, joined) => {
  expect(joinedVary(values)).toBe(joined)
})
