/**
 * What `tessera upload` remembers of an upload. While it is under way, that is its address, so that the same
 * command can continue it. Afterwards it is the video, so that the same command does not upload it again.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readBoundedSync } from '../../shared/runtime/bounded-file.ts'

export interface UnderWay {
  readonly url: string
  readonly expiresAt: string
  readonly chunkSize: number
  /** Whether the last part was sent, which means that the video may exist. */
  readonly isLastSent?: boolean
}

interface Done {
  readonly videoId: string
  readonly id: string
}

export type Memory =
  | { readonly kind: 'under way'; readonly upload: UnderWay }
  | ({ readonly kind: 'done' } & Done)

/** Far more than an address and a time need. */
const mostBytes = 65_536

/** Undefined if nothing useful is remembered. */
export function recall(file: string, now: number = Date.now()): Memory | undefined {
  if (!existsSync(file)) return undefined
  try {
    const known = JSON.parse(readBoundedSync(file, mostBytes).toString('utf8')) as Partial<UnderWay & Done>
    const { url, expiresAt, chunkSize, isLastSent, videoId, id } = known
    if (typeof videoId === 'string' && typeof id === 'string') return { kind: 'done', videoId, id }
    const isSound =
      typeof url === 'string' &&
      URL.canParse(url) &&
      typeof expiresAt === 'string' &&
      typeof chunkSize === 'number' &&
      Number.isSafeInteger(chunkSize) &&
      chunkSize > 0
    if (!isSound || !(isLastSent === true || Date.parse(expiresAt) > now)) return undefined
    return { kind: 'under way', upload: { url, expiresAt, chunkSize, isLastSent: isLastSent === true } }
  } catch {
    // The file is incomplete or something else, so the upload starts again.
    return undefined
  }
}

/** If the folder cannot be written, an interrupted upload starts again. */
export function remember(file: string, what: UnderWay | Done): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, JSON.stringify(what), { mode: 0o600 })
  } catch {}
}

export function forget(file: string): void {
  rmSync(file, { force: true })
}
