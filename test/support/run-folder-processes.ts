/** The processes of a test run, known by its folder (if there is a `/proc` to find them in). */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

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

/**
 * Ends what `processesOf` finds, until nothing is left, as one that is ended may have started another meanwhile; what
 * cannot be ended for a minute is left.
 *
 * @param isTo Whether a process is to be ended, by its id and its command line; it may be asked again.
 */
export async function endProcessesOf(
  folder: string,
  isTo: (id: number, command: string) => boolean = () => true,
): Promise<void> {
  for (let looks = 0; looks < 1200; looks++) {
    const found = [...processesOf(folder)].filter(([id, command]) => isTo(id, command))
    if (found.length === 0) return
    for (const [id] of found) endProcess(id)
    await delay(50)
  }
}

function endProcess(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}
