/**
 * The ZIP archives to which an agent is exported, and from which it is imported: one JSON file for each object.
 * Archives come from outside, so the number of files, the bytes and the unpacked bytes are checked before anything
 * is unpacked.
 */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'

const maxFiles = 5000
/** Bounds the time of unpacking, because each packed byte unpacks to at most about a thousand. */
const maxPacked = 2 * 1024 * 1024
const maxUnpacked = 32 * 1024 * 1024
/** ZIP has no earlier date. A fixed date makes the archive of an agent reproducible. */
const modified = new Date(1980, 0, 1)

export function writeArchive(files: Iterable<readonly [name: string, content: unknown]>): Buffer {
  const texts = [...files].map(([name, content]): [string, Uint8Array] => [
    name,
    strToU8(`${JSON.stringify(content, null, 2)}\n`),
  ])
  return Buffer.from(zipSync(Object.fromEntries(texts), { mtime: modified }))
}

/** The texts by file name; undefined if the bytes are no ZIP archive within the bounds. */
export function readArchive(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  let files = 0
  let packed = 0
  let unpacked = 0
  try {
    const contents = unzipSync(bytes, {
      filter({ size, originalSize }) {
        files += 1
        packed += size
        unpacked += originalSize
        if (files > maxFiles || packed > maxPacked || unpacked > maxUnpacked) throw new Error('too large')
        return true
      },
    })
    return new Map(Object.entries(contents).map(([name, content]) => [name, strFromU8(content)]))
  } catch {
    return undefined
  }
}
