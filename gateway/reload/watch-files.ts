/**
 * Reports when the content of files changes. Files are checked at an interval, because mounted files cause no file
 * system events, and a mounted directory of Kubernetes changes by replacing a link. A change is reported once
 * nothing has changed for an interval, because a file may be seen while it is being written.
 */
import { hash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { readBounded } from '../../shared/runtime/bounded-file.ts'
import { repeat } from '../../shared/runtime/repeat.ts'

/** Stands for a file that cannot be read. */
const away = 'away'
/** More than any of these files may have. A larger file counts as unreadable. */
const mostBytes = 256 * 1024 * 1024

/**
 * `files` is called each time, because the configuration names them. An unreadable file is a content of its own.
 * `signal` ends the watch.
 */
export function createFileWatch(files: () => readonly string[], signal: AbortSignal) {
  const seen = new Map<string, { mark: string; content: string }>()
  let untold = false

  /** Whether a known file has another content, and none is still changing. */
  async function look(): Promise<boolean> {
    let differs = false
    for (const file of files()) {
      const before = seen.get(file)
      const mark = await markOf(file)
      if (before?.mark === mark) continue
      const content = await contentOf(file, mark)
      seen.set(file, { mark, content })
      if (before !== undefined && before.content !== content) differs = true
    }
    const settled = untold && !differs
    untold = differs
    return settled
  }
  return {
    /**
     * Remembers the current content of files that are not known yet. Later content that differs counts as a change.
     * Resolves to their names. Content that was read before this call may be older.
     */
    async note(): Promise<readonly string[]> {
      const unknown = files().filter((file) => !seen.has(file))
      for (const file of unknown) {
        const mark = await markOf(file)
        seen.set(file, { mark, content: await contentOf(file, mark) })
      }
      return unknown
    },
    /** Checks at an interval, and calls `changed` for each change. */
    begin(everyMs: number, changed: () => void): void {
      void repeat(everyMs, signal, async () => {
        if ((await look()) && !signal.aborted) changed()
      })
    },
  }
}

async function markOf(file: string): Promise<string> {
  try {
    const found = await stat(file)
    // A pipe can be read only once, and its content is needed elsewhere.
    if (!found.isFile()) return away
    return `${found.mtimeMs} ${found.ino} ${found.size}`
  } catch {
    return away
  }
}

async function contentOf(file: string, mark: string): Promise<string> {
  if (mark === away) return away
  try {
    return hash('sha256', await readBounded(file, mostBytes))
  } catch {
    return away
  }
}
