/** Every target of the fuzzer reads its seeds, and a few hundred changed ones, as it should. */
import { afterAll, expect, test } from 'vitest'
import { explore, type Found } from '../../../bench/fuzz/explore.ts'
import { judge } from '../../../bench/fuzz/judge.ts'
import { filesOf } from '../../../bench/fuzz/source-literals.ts'
import { targets } from '../../../bench/fuzz/targets/index.ts'

const executions = 200

afterAll(async () => {
  for (const { close } of targets) await close?.()
})

test('targets have their own names, seeds, and files that they cover', () => {
  expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length)
  for (const { name, covers, seeds } of targets) {
    expect(seeds.length, name).toBeGreaterThan(0)
    expect(covers.flatMap(filesOf).length, name).toBeGreaterThan(0)
  }
})

test.each(targets.map((target) => [target.name, target] as const))('%s', async (_, target) => {
  for (const seed of target.seeds) expect(await judge(target, Buffer.from(seed as string))).toBeUndefined()
  const faults: Found[] = []
  await explore({
    ...{ target, seed: 20_261_123, found: (fault: Found) => faults.push(fault) },
    goesOn: (so) => so < (target.smoke ?? executions),
  })
  expect(
    faults.map(({ signature, input }) => `${signature} ${JSON.stringify(input.toString('latin1'))}`),
  ).toEqual([])
})
