/** Positions that no server wrote. */
import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readListPosition } from '../../../../subgraphs/kit/polling/index.ts'

test('a position with the right digest of what is no JSON is not one of the list', () => {
  const digest = hash('sha256', 'live letters\nno JSON', 'base64url').slice(0, 12)
  expect(readListPosition('letters', Buffer.from(`${digest}no JSON`).toString('base64url'))).toBeUndefined()
})
