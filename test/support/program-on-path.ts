import { spawnSync } from 'node:child_process'

export const isOnPath = (program: string, argument = '--version'): boolean =>
  spawnSync(program, [argument], { stdio: 'ignore' }).error === undefined

/**
 * Whether there is the program to test `what` with. If there is none one line says so, and the tests are skipped; with
 * `CI=true` that is a failure, so that CI cannot pass without them.
 */
export function canTest(what: string, program: string, isFound: boolean, source: string): boolean {
  if (isFound) return true
  if (process.env.CI === 'true') throw new Error(`${what}: no ${program} on the PATH, and CI=true wants one`)
  process.stdout.write(`skipped: ${what} (no ${program} on the PATH; ${source})\n`)
  return false
}
