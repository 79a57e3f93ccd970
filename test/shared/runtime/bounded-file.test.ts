/** Files that somebody else names: what is no file, what never ends, and what is not written to. */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBounded, readBoundedSync, UnreadableFile } from '../../../shared/runtime/bounded-file.ts'
import { temporaryFiles } from '../../support/temporary.ts'

const { folder, file: written } = temporaryFiles()

/** Both ways, which must agree. */
async function readingOf(path: string, maxBytes: number): Promise<string> {
  const later = readBounded(path, maxBytes).then(
    (content) => content.toString(),
    (error: unknown) => {
      expect(error).toBeInstanceOf(UnreadableFile)
      return (error as UnreadableFile).message
    },
  )
  let now: string
  try {
    now = readBoundedSync(path, maxBytes).toString()
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableFile)
    now = (error as UnreadableFile).message
  }
  expect(await later).toBe(now)
  return now
}

test('reads a file up to its bound and not beyond', async () => {
  const path = written('long', 'ä'.repeat(100_000))
  expect(await readingOf(path, 200_000)).toBe('ä'.repeat(100_000))
  expect(await readingOf(path, 199_999)).toBe('it is larger than 199999 bytes')
  expect(await readingOf(written('empty', ''), 10)).toBe('')
})

test('a file that says to be empty and is not is bounded as well', async () => {
  // Files of /proc have the size 0 whatever they hold.
  expect(await readingOf('/proc/self/maps', 100)).toBe('it is larger than 100 bytes')
})

test('devices, named pipes, sockets and folders are refused immediately', async () => {
  const pipe = join(folder, 'pipe')
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
  mkdirSync(join(folder, 'inner'))
  const socket = join(folder, 'socket')
  const server = createServer().listen(socket)
  await new Promise((resolve) => server.once('listening', resolve))
  for (const [path, reason] of [
    ['/dev/zero', 'it is a device; expected a regular file'],
    [pipe, 'it is a named pipe; expected a regular file'],
    [socket, 'it is not a regular file'],
    [join(folder, 'inner'), 'it is a folder'],
    [join(folder, 'nowhere'), 'there is no such file or folder'],
    [join(folder, 'empty', 'below'), 'a part of the path is not a folder'],
  ] as const)
    expect([path, await readingOf(path, 1000)]).toEqual([path, reason])
  await new Promise((resolve) => server.close(resolve))
})

test('a pipe that the process was given is read to its end, within the bound, and has the same bytes again', () => {
  const script = join(import.meta.dirname, '../../../shared/runtime/bounded-file.ts')
  const program = (way: string): string => `
    import { readBounded, readBoundedSync } from ${JSON.stringify(script)}
    try {
      const lengths = []
      for (let i = 0; i < 2; i++) lengths.push((await ${way}('/dev/stdin', 100_000)).length)
      console.log(lengths.join())
    } catch ({ message }) { console.log(message) }`
  for (const way of ['readBounded', 'readBoundedSync'])
    for (const [bytes, said] of [
      [100_000, '100000,100000'],
      [100_001, 'it is larger than 100000 bytes'],
    ]) {
      const shell = `head -c ${bytes} /dev/zero | "$NODE" --input-type=module-typescript -e "$PROGRAM"`
      const ran = spawnSync('sh', ['-c', shell], {
        encoding: 'utf8',
        env: { ...process.env, NODE: process.execPath, PROGRAM: program(way) },
      })
      expect([way, ran.stdout.trim()]).toEqual([way, said])
    }
})
