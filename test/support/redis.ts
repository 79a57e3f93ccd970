/** A real Redis on a loopback port, for tests; says what is skipped where there is none. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface RedisServer extends AsyncDisposable {
  readonly url: string
  /** Ends it as a crash would; `start` brings it back on the same port with what it had written. */
  stop(): Promise<void>
  start(): Promise<void>
}

export function withRedis(what: string): boolean {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0) return true
  if (process.env.CI === 'true')
    throw new Error(`${what}: no redis-server on the PATH, and CI=true wants one`)
  process.stdout.write(`skipped: ${what} (no redis-server on the PATH; Debian's package is "redis-server")\n`)
  return false
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'tessera-redis-'))
  let child: ChildProcess | undefined

  const start = async (): Promise<void> => {
    const args = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--appendonly',
      'yes',
      '--appendfsync',
      'always',
      '--save',
      '',
    ]
    const started = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    child = started
    await new Promise<void>((resolve, reject) => {
      started.stdout?.on('data', (text) => {
        if (String(text).includes('Ready to accept connections')) resolve()
      })
      started.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
    })
  }
  const stop = async (): Promise<void> => {
    const ending = child
    child = undefined
    if (ending === undefined) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await ended
  }
  await start()
  return { url: `redis://127.0.0.1:${port}`, start, stop, [Symbol.asyncDispose]: stop }
}
