/** Requests to addresses beside that of the graph. */
import { expect, test } from 'vitest'
import { startLiveGateway } from '../../../support/live-gateway.ts'

test('a body that no route takes is read up to 16 KiB, and not kept beyond that', async () => {
  await using live = await startLiveGateway()
  const post = async (path: string, bytes: number): Promise<unknown[]> => {
    const response = await fetch(new URL(path, live.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify('x'.repeat(bytes - 2)),
    })
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] }
    return [response.status, errors[0]?.extensions.code]
  }
  const mostBytes = 16 * 1024
  expect(await post('/nowhere', mostBytes)).toEqual([404, 'NOT_FOUND'])
  expect(await post('/nowhere', mostBytes + 1)).toEqual([413, 'BAD_REQUEST'])
  expect(await post('/health/live', mostBytes + 1)).toEqual([413, 'BAD_REQUEST'])
})
