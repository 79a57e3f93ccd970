/**
 * Tells when the content of files changes. Their state is asked for at an interval: notices of the file system do not
 * come for what is mounted, and a mounted directory of Kubernetes changes by a link that is exchanged. A change is reported
 * once nothing has changed for an interval: a file may be seen while it is being written.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'

export interface FileWatch {
  /** Notes the content as it is now: what differs from it later has changed. */
  note(): Promise<void>
  /** Looks at an interval until it is closed, and calls `changed` for each change. */
  begin(everyMs: number, changed: () => void): void
  close(): void
}

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
      const content = await contentOf(file)
      seen.set(file, { mark, content })
      if (before !== undefined && before.content !== content) differs = true
    }
    const settled = untold && !differs
    untold = differs
    return settled
  }
  return {
    async note() {
      for (const file of files()) seen.set(file, { mark: await markOf(file), content: await contentOf(file) })
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
    const { mtimeMs, ino, size } = await stat(file)
    return `${mtimeMs} ${ino} ${size}`
  } catch {
    return 'away'
  }
}

async function contentOf(file: string): Promise<string> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
  } catch {
    return 'away'
  }
}
