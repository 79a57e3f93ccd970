/** Which variables of who starts the tests reach them. */
import { expect, test } from 'vitest'
import { takeOut } from './environment.ts'

test('variables of the product are taken out, and those of the tests and of others stay', () => {
  const kept = { PATH: '/bin', TESSERA_TEST_PLAIN: 'true', TESSERA_TEST_SEED: '7', NOT_TESSERA_URL: 'x' }
  const env = { ...kept, TESSERA_PORT: '1', TESSERA_BENCH_COSMO: 'file', TESSERA_QUOTA_DAILY: '' }
  expect(takeOut(env)).toEqual(['TESSERA_PORT', 'TESSERA_BENCH_COSMO', 'TESSERA_QUOTA_DAILY'])
  expect(env).toEqual(kept)
})

test('no variable of the product is set here', () => {
  expect(takeOut({ ...process.env })).toEqual([])
})
