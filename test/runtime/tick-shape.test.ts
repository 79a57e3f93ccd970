import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const module = new URL('../../gateway/cli/hot/tick-shape.ts', import.meta.url)

/** What V8 says in a process of its own, as its intrinsics have a syntax of their own. */
const said = (script: string): unknown =>
  JSON.parse(
    execFileSync(process.execPath, ['--allow-natives-syntax', '--input-type=module', '-e', script], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )

test('what is kept has the shape of what Node holds for `process.nextTick`', () => {
  const script = `
    import { executionAsyncResource } from 'node:async_hooks'
    import { keepTickShape } from ${JSON.stringify(module.href)}
    const kept = keepTickShape()
    setTimeout(() => process.nextTick(() => {
      const tick = executionAsyncResource()
      const [id, trigger, ...others] = Object.getOwnPropertySymbols(tick)
      const same = { [id]: tick[id], [trigger]: tick[trigger] }
      const isKept = %HaveSameMap(same, kept)
      // Properties come one after the other: the shape of all goes by that of the first two.
      for (const name of [...others, ...Object.keys(tick)]) same[name] = tick[name]
      console.log(JSON.stringify([isKept, %HaveSameMap(same, tick)]))
    }), 1)`
  expect(said(script)).toEqual([true, true])
})
