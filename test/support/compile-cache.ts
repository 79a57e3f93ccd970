/**
 * Bounds what Node keeps of compiled modules from run to run (`NODE_COMPILE_CACHE`): modules of folders that are made
 * for a test are added with each run and never found again. Where there are too many, all are dropped, and compiled anew.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** About 160 MB; a run needs some 5,000 of them. */
const mostEntries = 40_000

/** `folder` has a folder for each version of Node. */
export function boundCompileCache(folder: string, most = mostEntries): void {
  if (!existsSync(folder)) return
  const count = readdirSync(folder).reduce((sum, name) => sum + readdirSync(join(folder, name)).length, 0)
  if (count > most) rmSync(folder, { recursive: true, force: true })
}
