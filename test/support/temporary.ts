/** Folders and files that go away with the folder of the run (`run-folder.ts`). */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'tessera-test-'))

/** The path of a file in a new folder; without a text there is no file yet. */
export function temporaryFile(name: string, text?: string | Uint8Array): string {
  const path = join(temporaryFolder(), name)
  if (text !== undefined) writeFileSync(path, text)
  return path
}

/** A new folder, and what writes a file in it and returns its path. */
export function temporaryFiles() {
  const folder = temporaryFolder()
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  return { folder, file }
}
