/** Memory is given back in a quiet moment, and not while there is something to do. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const script = new URL('../../gateway/cli/idle-memory.ts', import.meta.url).href

/** Fills and drops 200 MB, then tells its resident memory before and after some looks; in MB. */
const program = (busy: boolean): string => `
  import { giveMemoryBackWhenIdle } from ${JSON.stringify(script)}
  const mb = () => Math.round(process.memoryUsage.rss() / 1e6)
  let held = Array.from({ length: 2e6 }, (_, n) => ({ n, text: 'x' + n }))
  held = undefined
  const full = mb()
  const stop = giveMemoryBackWhenIdle(240)
  const work = ${busy} ? setInterval(() => { const until = performance.now() + 5; while (performance.now() < until); }, 10) : undefined
  let low = full
  const until = Date.now() + ${busy ? 600 : 10_000}
  const look = setInterval(() => {
    low = Math.min(low, mb())
    if (low > full / 2 && Date.now() < until) return
    clearInterval(look); clearInterval(work); stop()
    console.log(JSON.stringify({ full, low }))
  }, 20)`

async function run(busy: boolean): Promise<{ full: number; low: number }> {
  const args = ['--input-type=module-typescript', '-e', program(busy)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as { full: number; low: number }
}

test('a quiet process gives back what it does not need any more', async () => {
  const { full, low } = await run(false)
  expect(full).toBeGreaterThan(150)
  expect(low).toBeLessThan(full / 2)
})

test('a busy process is not disturbed', async () => {
  const { full, low } = await run(true)
  expect(low).toBeGreaterThan(full / 2)
})

test('a process that has as many open files as it may have continues', async () => {
  const full = `
    import { openSync } from 'node:fs'
    import { giveMemoryBackWhenIdle } from ${JSON.stringify(script)}
    const { rss } = process.memoryUsage
    let failed = 0
    process.memoryUsage.rss = () => {
      try {
        return rss()
      } catch (error) {
        failed += 1
        throw error
      }
    }
    try {
      for (;;) openSync('/dev/null')
    } catch {}
    giveMemoryBackWhenIdle(60)
    setInterval(() => {
      if (failed < 3) return
      console.log('continues')
      process.exit()
    }, 10)`
  const shell = 'ulimit -n 64; exec "$0" --input-type=module-typescript -e "$1"'
  const { stdout } = await promisify(execFile)('sh', ['-c', shell, process.execPath, full])
  expect(stdout).toBe('continues\n')
})
