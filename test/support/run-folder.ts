/**
 * What a test run leaves behind: nothing. Its temporary files lie in one folder, which is TMPDIR for tests and for what
 * they start, and goes away at the end, also where the run is interrupted. Processes are known by it, too:
 * one that outlives the run is named and killed (where there is a `/proc` to find it in).
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const mark = 'tessera-run-'

/** Processes that have this TMPDIR, or stand in it, by their ids, with their command lines. */
function processesOf(folder: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  let entries: string[]
  try {
    entries = readdirSync('/proc')
  } catch {
    return found
  }
  for (const entry of entries) {
    const id = Number(entry)
    if (!Number.isInteger(id) || id === process.pid) continue
    try {
      const marked = readFileSync(`/proc/${id}/environ`, 'utf8').split('\0').includes(`TMPDIR=${folder}`)
      // Redis writes its title over its environment.
      if (!marked && !readlinkSync(`/proc/${id}/cwd`).startsWith(`${folder}/`)) continue
      const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').join(' ').trim()
      // Without a command line it has ended already.
      if (command !== '') found.set(id, command)
    } catch {
      // It ended meanwhile, or belongs to somebody else.
    }
  }
  return found
}

/** Vitest runs it once for the whole run and again for each project: the first one holds for all. */
export function setup(): (() => void) | undefined {
  if (process.env.TMPDIR?.includes(mark) === true) return undefined
  const before = process.env.TMPDIR
  const folder = mkdtempSync(join(tmpdir(), mark))
  // What runs as another user finds its way through.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  let done = false
  const cleanUp = (): void => {
    if (done) return
    done = true
    for (const [id, command] of processesOf(folder)) {
      // Vitest ends its own.
      if (command.includes('vitest')) continue
      console.error(`outlived the tests: ${command}`)
      try {
        process.kill(id, 'SIGKILL')
      } catch {
        // It ended meanwhile.
      }
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  process.once('exit', cleanUp)
  return cleanUp
}
