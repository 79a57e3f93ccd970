/** A copy of the checked-in tree, as it stands now, for tests that change its files. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The folder that it was made in; the installed packages are linked, and are not to be changed. */
export function copyOfTree(): string {
  const folder = temporaryFolder()
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of new Set(files.trim().split('\n')))
    if (existsSync(join(root, file))) cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
