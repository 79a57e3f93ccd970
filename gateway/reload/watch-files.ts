/**
 * Tells when the content of files changes. Their state is asked for at an interval: notices of the file system do not
 * come for what is mounted, and a mounted directory of Kubernetes changes by a link that is exchanged. A change is reported
 * once nothing has changed for an interval: a file may be seen while it is being written.
 */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { readBounded } from '../../shared/runtime/bounded-file.ts'

export interface FileWatch {
  /**
   * Notes the content of files that are not known yet, as it is now: what differs from it later has changed. Resolves to
   * their names. What is read of a file before it is noted may be older than what is noted.
   */
  note(): Promise<readonly string[]>
  /** Looks at an interval until it is closed, and calls `changed` for each change. */
  begin(everyMs: number, changed: () => void): void
  close(): void
}

/** The mark and the content of what is no file that can be read. */
const away = 'away'
/** More than any of these files may have; what is larger counts as away. */
const mostBytes = 256 * 1024 * 1024

/** `files` is asked for each time, since the configuration names them. A file that is away counts as its content. */
export function createFileWatch(files: () => readonly string[]): FileWatch {
  const seen = new Map<string, { mark: string; content: string }>()
  let closed = false
  let untold = false
  let timer: NodeJS.Timeout | undefined

  /** Whether one of those that were known has another content, and none is changing any more. */
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
    async note() {
      const unknown = files().filter((file) => !seen.has(file))
      for (const file of unknown) {
        const mark = await markOf(file)
        seen.set(file, { mark, content: await contentOf(file, mark) })
      }
      return unknown
    },
    begin(everyMs, changed) {
      const next = (): void => {
        if (closed) return
        timer = setTimeout(() => {
          void look().then((settled) => {
            if (settled && !closed) changed()
            next()
          })
        }, everyMs)
        timer.unref()
      }
      next()
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

async function markOf(file: string): Promise<string> {
  try {
    const found = await stat(file)
    // A pipe that is read here has nothing left for the one who needs its content.
    if (!found.isFile()) return away
    return `${found.mtimeMs} ${found.ino} ${found.size}`
  } catch {
    return away
  }
}

async function contentOf(file: string, mark: string): Promise<string> {
  if (mark === away) return away
  try {
    return createHash('sha256')
      .update(await readBounded(file, mostBytes))
      .digest('hex')
  } catch {
    return away
  }
}
