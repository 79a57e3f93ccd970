/** How many files, connections included, the system lets this process open. */
import { readFileSync } from 'node:fs'
import type { Logger } from '../telemetry/log.ts'

/** Undefined if the system has no such file. */
function mostOpenFiles(): number | undefined {
  try {
    const [, most] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return most === undefined ? undefined : Number(most)
  } catch {
    return undefined
  }
}

/** Beyond its limit the system closes connections without a word, and none can be made to services. */
export function warnOfFiles(maxConnections: number, log: Logger): void {
  const openFiles = mostOpenFiles()
  if (openFiles !== undefined && maxConnections >= openFiles)
    log.warn(
      { maxConnections, openFiles },
      'clients may use up the files that this process may open: raise that limit (ulimit -n), or lower TESSERA_MAX_CONNECTIONS',
    )
}
