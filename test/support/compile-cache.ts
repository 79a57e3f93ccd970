/**
 * What Node keeps of compiled modules from run to run (`NODE_COMPILE_CACHE`). V8 takes only what was compiled under
 * the flags that it has, and Node replaces the rest when a process ends. The command line sets flags for its own
 * process, so that tests and the commands that they start have a folder each; other processes that tests start have
 * none.
 *
 * To write what they compiled costs workers more than the next run saves. So a clone's first run keeps it of commands
 * alone, which are started some 200 times; a clone of CI has no second run.
 *
 * Modules of folders that are made for a test are added with each run and never found again: if there are too many,
 * all are dropped, and compiled again.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Of one folder, about 160 MB. A run reads up to 14,000 modules there, and adds up to 7,000 of folders of its own. */
const mostEntries = 40_000

/** Where processes of the command line find the path of their folder; not set if nothing is kept. */
export const commandsVariable = 'TESSERA_TEST_COMPILED_COMMANDS'

/**
 * Call it before Vitest starts its workers, which begin with it. Vitest reads its configuration for each project again:
 * the first call holds for the run.
 */
export function keepCompiled(folder: string, env: Record<string, string | undefined> = process.env): void {
  if (env[commandsVariable] !== undefined) return
  const [tests, commands] = [join(folder, 'tests'), join(folder, 'commands')]
  for (const each of [tests, commands]) boundCompileCache(each)
  if (existsSync(tests)) env.NODE_COMPILE_CACHE = tests
  else mkdirSync(tests, { recursive: true })
  env[commandsVariable] = commands
}

/** `folder` has a folder for each version of Node. */
export function boundCompileCache(folder: string, most = mostEntries): void {
  if (!existsSync(folder)) return
  const count = readdirSync(folder).reduce((sum, name) => sum + readdirSync(join(folder, name)).length, 0)
  if (count > most) rmSync(folder, { recursive: true, force: true })
}
