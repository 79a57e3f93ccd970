/**
 * What `tessera upload` remembers of an upload. While it is under way, that is its address, so that the same
 * command can continue it. Afterwards it is the video, so that the same command does not upload it again.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { parsedJson } from '../../shared/json/parse-json.ts'
import { readBoundedSync } from '../../shared/runtime/bounded-file.ts'

const underWay = z.object({
  url: z.url(),
  expiresAt: z.string(),
  chunkSize: z.int().positive(),
  /** Whether the last part was sent, which means that the video may exist. */
  isLastSent: z.boolean().optional(),
})
const done = z.object({ videoId: z.string(), id: z.string() })
const memory = z.union([done, underWay])

export type UnderWay = Readonly<z.infer<typeof underWay>>
type Memory = Readonly<z.infer<typeof memory>>

/** Far more than an address and a time need. */
const mostBytes = 65_536

/** Undefined if nothing useful is remembered. */
export function recall(file: string): Memory | undefined {
  if (!existsSync(file)) return undefined
  try {
    const known = memory.safeParse(parsedJson(readBoundedSync(file, mostBytes).toString('utf8'))).data
    if (known === undefined || 'videoId' in known || known.isLastSent === true) return known
    return Date.parse(known.expiresAt) > Date.now() ? known : undefined
  } catch {
    // The file cannot be read, so the upload starts again.
    return undefined
  }
}

/** If the folder cannot be written, an interrupted upload starts again. */
export function remember(file: string, what: Memory): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, JSON.stringify(what), { mode: 0o600 })
  } catch {}
}

export function forget(file: string): void {
  rmSync(file, { force: true })
}
