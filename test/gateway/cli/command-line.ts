/**
 * The command line as its user meets it: commands of one folder, one after the other, with their output and exit codes.
 * In the test's own process, or in one each if it is about the process: whether it ends, and with what.
 */
import { afterAll, beforeAll } from 'vitest'
import type { Ended } from '../../support/in-process-command.ts'
import { command, startProcess } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** Where they run. */
export const folder = temporaryFolder()

/** Runs the tests of a file there. */
export function standInFolder(): void {
  const before = process.cwd()
  beforeAll(() => process.chdir(folder))
  afterAll(() => process.chdir(before))
}

/** In a process of its own, whose output and errors are told apart. */
export function start(args: readonly string[], env: Record<string, string> = {}, cwd = folder) {
  const options = { cwd, env: { NO_COLOR: '1', ...env } }
  const { child, ended: ending, said } = startProcess(process.execPath, [...command, ...args], options)
  let out = ''
  let err = ''
  child.stdout?.on('data', (text) => {
    out += text
  })
  child.stderr?.on('data', (text) => {
    err += text
  })
  const ended: Promise<Ended> = ending.then(() => ({ code: child.exitCode, out, err }))
  return { child, ended, said }
}

export const runApart = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  start(args, env).ended
