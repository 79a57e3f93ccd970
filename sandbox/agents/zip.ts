/** ZIP archives, written and read in memory: what an agent is exported to and imported from. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly content: Buffer
}

const localHeader = 0x04034b50
const centralHeader = 0x02014b50
const endHeader = 0x06054b50
const utf8Names = 0x0800
const deflated = 8
/** An archive that would unpack to more than this is refused, whatever its entries claim. */
const maxUnpacked = 64 * 1024 * 1024

export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of entries) {
    const path = Buffer.from(name)
    const packed = deflateRawSync(content)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0) // version needed
    shared.writeUInt16LE(utf8Names, 2)
    shared.writeUInt16LE(deflated, 4)
    shared.writeUInt16LE(0, 6) // time
    shared.writeUInt16LE(0x21, 8) // the first of January 1980: the same archive for the same agent
    shared.writeUInt32LE(crc32(content), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(content.length, 18)
    shared.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([number32(localHeader), shared, path, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([number32(centralHeader), Buffer.from([20, 0]), shared, tail, path]))
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(endHeader, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** The entries, or undefined where the bytes are no ZIP archive that can be read. */
export function readZip(bytes: Buffer): ZipEntry[] | undefined {
  try {
    return entriesOf(bytes)
  } catch {
    // Offsets past the end, broken streams: all of it means the same to the caller.
    return undefined
  }
}

function entriesOf(bytes: Buffer): ZipEntry[] | undefined {
  const end = bytes.lastIndexOf(number32(endHeader))
  if (end < 0) return undefined
  const entries: ZipEntry[] = []
  let at = bytes.readUInt32LE(end + 16)
  let unpacked = 0
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (bytes.readUInt32LE(at) !== centralHeader) return undefined
    const method = bytes.readUInt16LE(at + 10)
    const packedLength = bytes.readUInt32LE(at + 20)
    const nameLength = bytes.readUInt16LE(at + 28)
    const local = bytes.readUInt32LE(at + 42)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(start, start + packedLength)
    const content =
      method === deflated
        ? inflateRawSync(packed, { maxOutputLength: Math.max(1, maxUnpacked - unpacked) })
        : Buffer.from(packed)
    if (crc32(content) !== bytes.readUInt32LE(at + 16)) return undefined
    unpacked += content.length
    entries.push({ name, content })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}
