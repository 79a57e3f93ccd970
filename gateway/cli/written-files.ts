/** Writes the files that a command makes for its user: all of them, or none if one exists already. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError } from './command.ts'
import { writeText } from './files.ts'

/** The content of each file by its path below the folder. */
export type Files = Readonly<Record<string, string>>

/** Throws a CommandError if it would overwrite something. */
export function writeFiles(folder: string, files: Files): void {
  const taken = Object.keys(files).filter((path) => existsSync(join(folder, path)))
  if (taken.length > 0)
    throw new CommandError(`nothing is written: ${taken.join(', ')} in ${folder} would be overwritten`)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeText(join(folder, path), text)
  }
}
