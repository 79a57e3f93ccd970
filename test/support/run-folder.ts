/**
 * What a test run leaves behind: nothing. Its temporary files lie in one folder, which is TMPDIR for tests and for what
 * they start, and goes away at the end. Processes are known by it, too: one that outlives the run is named and killed.
 * A run that is interrupted or killed cannot do that itself: `run-folder-keeper.ts`, a process beside it, then does.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endProcessesOf } from './run-folder-processes.ts'

const mark = 'tessera-run-'

/** Vitest runs it once for the whole run and again for each project: the first one holds for all. */
export function setup(): (() => Promise<void>) | undefined {
  if (basename(tmpdir()).startsWith(mark)) return undefined
  const before = process.env.TMPDIR
  const folder = mkdtempSync(join(tmpdir(), mark))
  // What runs as another user finds its way through.
  chmodSync(folder, 0o755)
  const endKeeper = startKeeper(folder)
  process.env.TMPDIR = folder
  return async () => {
    const named = new Set<number>()
    await endProcessesOf(folder, (id, command) => {
      // Vitest ends its own.
      if (command.includes('vitest')) return false
      if (!named.has(id)) console.error(`outlived the tests: ${command}`)
      named.add(id)
      return true
    })
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    endKeeper()
  }
}

/** It has a process group of its own, as an interrupt from the terminal goes to all of the run's. */
function startKeeper(folder: string): () => void {
  const file = fileURLToPath(new URL('run-folder-keeper.ts', import.meta.url))
  const keeper = spawn(process.execPath, [file, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  keeper.unref()
  return () => void keeper.kill('SIGKILL')
}
