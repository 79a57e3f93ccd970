/** Compressed bodies of a hundred bytes whose decoders would take megabytes each, against a process of its own. */
import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { expect, test } from 'vitest'
import { startTessera } from '../support/process.ts'

const query = Buffer.from(JSON.stringify({ query: `{ __typename # ${'x'.repeat(120)}\n}` }))
const compress = (bits: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(brotliCompressSync(query, { params: { [constants.BROTLI_PARAM_LGWIN]: bits } }))

/** The most memory that a process has had, in megabytes. */
const mostMemory = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000

test.runIf(process.platform === 'linux')(
  '200 compressed requests at a time take few decoders, and none with a large window',
  async () => {
    await using server = startTessera(['serve', '--port', '0'], { TESSERA_LOG_LEVEL: 'error' })
    const url = await server.said('graph')
    const ask = async (body: Uint8Array<ArrayBuffer>): Promise<{ status: number; text: string }> => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'br' }
      const answer = await fetch(url, { method: 'POST', headers, body })
      return { status: answer.status, text: await answer.text() }
    }
    expect((await ask(compress(22))).status).toBe(200)
    const before = mostMemory(server.child.pid)
    const large = await Promise.all(Array.from({ length: 100 }, () => ask(compress(24))))
    for (const { status, text } of large) {
      expect(status).toBe(400)
      expect(text).toContain('window of more than 2^22 bytes')
    }
    const many = await Promise.all(Array.from({ length: 200 }, () => ask(compress(22))))
    const answered = many.filter(({ status }) => status === 200)
    expect(answered.length).toBeGreaterThan(0)
    for (const { status, text } of many) {
      if (status === 200) continue
      expect(status).toBe(503)
      expect(JSON.parse(text).errors[0].extensions.code).toBe('SERVICE_BUSY')
    }
    // 17 MB each would be 1,700, and 4 MB each 800.
    expect(mostMemory(server.child.pid) - before).toBeLessThan(250)
  },
)
