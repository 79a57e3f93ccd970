/**
 * The command line as its user meets it: commands of one folder, one after the other, with their output and exit codes.
 * In the test's own process, or in one each if it is about the process: whether it ends, and with what.
 */
import { spawn } from 'node:child_process'
import { afterAll, beforeAll } from 'vitest'
import type { Ended } from '../../support/here.ts'
import { command, environment } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** Where they run. */
export const folder = temporaryFolder()

/** Runs the tests of a file there. */
export function standInFolder(): void {
  const before = process.cwd()
  beforeAll(() => process.chdir(folder))
  afterAll(() => process.chdir(before))
}

/** In a process of its own. */
export function start(args: readonly string[], env: Record<string, string> = {}, cwd = folder) {
  const child = spawn(process.execPath, [...command, ...args], {
    cwd,
    env: { ...environment(), NO_COLOR: '1', ...env },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (text) => {
    out += text
  })
  child.stderr.on('data', (text) => {
    err += text
  })
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })))
  /** Resolves with what a line of the output says behind a word. */
  const said = (word: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = new RegExp(`^${word}\\s+(\\S+)`, 'm').exec(out)?.[1]
        if (found !== undefined) resolve(found)
      }
      child.stdout.on('data', look)
      child.on('close', () => reject(new Error(`ended without saying ${word}: ${out}${err}`)))
      look()
    })
  return { child, ended, said }
}

export const runApart = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  start(args, env).ended
