/**
 * Reads files whose paths come from outside, with a bound: a regular file, or a pipe that was passed to this process
 * (standard input, `<(command)` of a shell). Devices, named pipes, sockets and folders are refused before they are
 * read, so that a wrong path neither fills the memory nor waits for a writer. The bytes of a pipe come only once, so
 * they are kept: the configuration is read several times, and again for each reload.
 */
import cluster from 'node:cluster'
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { getOrInsert } from './maps.ts'
import { systemCodeOf } from './thrown.ts'

/** A file cannot be read. `message` is only the reason, for a sentence that names the file. */
export class UnreadableFile extends Error {
  /** The system's code, such as ENOENT, if there is one. */
  readonly code: string | undefined

  constructor(reason: string, code?: string) {
    super(reason)
    this.name = 'UnreadableFile'
    this.code = code
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EEXIST: 'a file has that name',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'this user has no permission',
  ENXIO: 'it is not a regular file',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}

/** A sentence for a file system error, otherwise its code. */
export function fileFault(error: unknown): string {
  if (error instanceof UnreadableFile) return error.message
  const code = systemCodeOf(error) ?? 'unknown reason'
  return reasons[code] ?? code
}

const asUnreadable = (error: unknown): UnreadableFile =>
  error instanceof UnreadableFile ? error : new UnreadableFile(fileFault(error), systemCodeOf(error))

/** Opening a named pipe must not wait for a writer. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK
const chunkBytes = 65_536

const isGiven = (path: string): boolean => /^\/(?:dev\/(?:stdin$|fd\/)|proc\/self\/fd\/)/.test(path)

/** Whether it is a pipe that was passed to this process. Throws if it is not a file. */
function isPipe(path: string, stats: Stats, maxBytes: number): boolean {
  if (stats.isFIFO() && isGiven(path)) {
    // A worker would find the pipe of its primary empty, or another one under its number.
    if (cluster.isWorker) throw new UnreadableFile('it is a pipe, which a worker cannot read')
    return true
  }
  if (stats.isDirectory()) throw new UnreadableFile('it is a folder', 'EISDIR')
  if (stats.isFIFO()) throw new UnreadableFile('it is a named pipe; expected a regular file')
  if (!stats.isFile()) throw new UnreadableFile('it is a device; expected a regular file')
  if (stats.size > maxBytes) throw tooLarge(maxBytes)
  return false
}

const tooLarge = (maxBytes: number): UnreadableFile =>
  new UnreadableFile(`it is larger than ${maxBytes} bytes`)

/** The bytes of pipes, by the paths at which they were read. */
const pipes = new Map<string, Buffer | Promise<Buffer>>()

/** Throws `UnreadableFile`. */
export function readBoundedSync(path: string, maxBytes: number): Buffer {
  let file: number | undefined
  try {
    file = openSync(path, flags)
    return isPipe(path, fstatSync(file), maxBytes) ? pipeSync(path, maxBytes) : toEndSync(file, maxBytes)
  } catch (error) {
    throw asUnreadable(error)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function pipeSync(path: string, maxBytes: number): Buffer {
  const known = pipes.get(path)
  if (known instanceof Buffer) return known
  const file = openSync(path, 'r')
  try {
    return kept(path, toEndSync(file, maxBytes))
  } finally {
    closeSync(file)
  }
}

function kept(path: string, bytes: Buffer): Buffer {
  pipes.set(path, bytes)
  return bytes
}

function toEndSync(file: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = []
  let length = 0
  for (;;) {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    const read = readSync(file, chunk)
    if (read === 0) return Buffer.concat(chunks, length)
    length += read
    if (length > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk.subarray(0, read))
  }
}

/** The same, asynchronously. `check` may throw an `UnreadableFile` after it has seen the stats. */
export async function readBounded(
  path: string,
  maxBytes: number,
  check?: (stats: Stats) => void,
): Promise<Buffer> {
  let file: FileHandle | undefined
  try {
    file = await open(path, flags)
    const stats = await file.stat()
    check?.(stats)
    if (!isPipe(path, stats, maxBytes)) return await toEnd(file, maxBytes)
    return await getOrInsert(pipes, path, () => readPipe(path, maxBytes))
  } catch (error) {
    throw asUnreadable(error)
  } finally {
    await file?.close()
  }
}

async function readPipe(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    return kept(path, await toEnd(file, maxBytes))
  } finally {
    await file.close()
  }
}

async function toEnd(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes))
    if (bytesRead === 0) return Buffer.concat(chunks, length)
    length += bytesRead
    if (length > maxBytes) throw tooLarge(maxBytes)
    chunks.push(buffer.subarray(0, bytesRead))
  }
}
