/**
 * The last good text on disk, so that a start needs no source. Its first line has its format, kind, origin and SHA-256.
 * It is written to a temporary file and renamed, readable only for this user. A file that others may have written is
 * not read.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { parsedJson } from '../../shared/json/parse-json.ts'
import { fileFault, readBounded, UnreadableFile } from '../../shared/runtime/bounded-file.ts'
import { largestText, refused, SourceFailure } from './source.ts'

/** What a copy belongs to. */
export interface CopyOwner {
  readonly what: string
  /** The identities of the places from which it may come. */
  readonly places: readonly string[]
}

const magic = 'tessera-copy '
const format = 1
const mostHeadBytes = 8192

const head = z.object({
  format: z.literal(format),
  what: z.string(),
  /** Digests of the places, because those may contain secrets. */
  places: z.array(z.string()).max(100),
  sha256: z.string(),
})

const digestsOf = (places: readonly string[]): string[] => places.map((place) => hash('sha256', place))

/** Undefined if there is none. Throws a `SourceFailure` if it is invalid. */
export async function readCopy(path: string, { what, places }: CopyOwner): Promise<string | undefined> {
  let bytes: Buffer
  try {
    bytes = await readBounded(path, largestText + mostHeadBytes, refuseShared)
  } catch (error) {
    if (error instanceof UnreadableFile && error.code === 'ENOENT') return undefined
    throw new SourceFailure(fileFault(error))
  }
  const end = bytes.subarray(0, mostHeadBytes).indexOf('\n')
  const first = bytes.subarray(0, Math.max(0, end)).toString('utf8')
  if (!first.startsWith(magic)) throw refused('this program did not write it')
  const read = head.safeParse(parsedJson(first.slice(magic.length)))
  if (!read.success)
    throw refused(
      `it does not have the form ${format}, because another version wrote it; the next valid text replaces it`,
    )
  const text = bytes.subarray(end + 1)
  if (read.data.what !== what) throw refused(`it is a copy of a ${read.data.what}, not of a ${what}`)
  if (hash('sha256', text) !== read.data.sha256)
    throw refused('its SHA-256 differs from the one that it names')
  const known = new Set(read.data.places)
  if (!digestsOf(places).some((digest) => known.has(digest)))
    throw refused('it came from addresses that are not configured')
  return text.toString('utf8')
}

/** Whoever writes it decides what the gateway serves, and to whom. */
function refuseShared({ mode, uid }: Stats): void {
  const own = process.getuid?.()
  if (own === undefined) return
  if (uid !== own && uid !== 0) throw new UnreadableFile('another user owns it')
  if ((mode & 0o002) !== 0) throw new UnreadableFile('every user may write to it')
}

/** Throws an Error of the file system. */
export async function writeCopy(path: string, { what, places }: CopyOwner, text: string): Promise<void> {
  const first = JSON.stringify({ format, what, places: digestsOf(places), sha256: hash('sha256', text) })
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${magic}${first}\n${text}`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
