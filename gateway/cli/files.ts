/** Files that the user names, read and written with one sentence for what can go wrong. */
import { readFileSync, writeFileSync } from 'node:fs'
import { CommandError } from './command.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  EACCES: 'this user may not',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
  return reasons[code] ?? code
}

/** Throws what ends the command where the file cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${reasonOf(error)}`)
  }
}

/** Throws what ends the command where the file cannot be written. */
export function writeText(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${reasonOf(error)}`)
  }
}
