/** A run that is broken off, or forgets a process: nothing of it stays. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startProcess } from './process.ts'

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const globalSetup = fileURLToPath(new URL('run-folder.ts', import.meta.url))

/** It starts a process that does not end by itself, leaves a file, and waits if it is told to. */
const leaving = `
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
test('leaves', { timeout: 600_000 }, async () => {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
  writeFileSync(tmpdir() + '/left', '')
  process.stdout.write('\\nchild ' + child.pid + '\\nfolder ' + tmpdir() + '\\n')
  if (process.env.WAITS === 'true') await new Promise(() => {})
})`

/** A run of it, once its child runs. */
async function startRun(waits: boolean) {
  const root = mkdtempSync(join(tmpdir(), 'interrupted-'))
  const temporary = join(root, 'temporary')
  mkdirSync(temporary)
  writeFileSync(join(root, 'leaving.test.mjs'), leaving)
  const config = { globals: true, globalSetup, include: ['leaving.test.mjs'], disableConsoleIntercept: true }
  writeFileSync(join(root, 'vitest.config.mjs'), `export default { test: ${JSON.stringify(config)} }`)
  const run = startProcess(process.execPath, [vitest, 'run', '--root', root], {
    cwd: root,
    env: { TMPDIR: temporary, NO_COLOR: '1', WAITS: String(waits) },
  })
  const [child, folder] = [await run.said('child'), await run.said('folder')]
  expect(folder.startsWith(join(temporary, 'tessera-run-'))).toBe(true)
  return { run, child, folder }
}

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a run that is ended by %s leaves no process and no folder',
  async (signal) => {
    const { run, child, folder } = await startRun(true)
    await using _run = run
    expect(existsSync(join(folder, 'left'))).toBe(true)
    expect(commandOf(child)).toContain('sleep')
    run.child.kill(signal)
    await run.ended
    await expect.poll(() => existsSync(folder)).toBe(false)
    await expect.poll(() => commandOf(child)).toBe('')
  },
)

test('a run that ends names the process that it forgot, and leaves neither that process nor its folder', async () => {
  const { run, child, folder } = await startRun(false)
  await using _run = run
  expect(await run.ended).toBe(0)
  expect(run.output()).toMatch(/^outlived the tests: sleep 600$/m)
  expect([existsSync(folder), commandOf(child)]).toEqual([false, ''])
})

/** Nothing if it has ended. */
function commandOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
