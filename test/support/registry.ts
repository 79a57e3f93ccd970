/**
 * A real registry for OCI artifacts, Debian's `docker-registry`, on a loopback port: open to everybody, behind a name and
 * a password, or behind tokens of a service that the test gives.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lastingPort } from './port.ts'
import { canTest, isOnPath } from './program-on-path.ts'
import { temporaryFolder } from './temporary.ts'
import { until } from './wait.ts'

export interface Registry extends AsyncDisposable {
  /** With its port. */
  readonly host: string
  /** It has its blobs. */
  readonly folder: string
}

export const withRegistry = (what: string): boolean =>
  canTest(what, 'docker-registry', isOnPath('docker-registry'), "Debian's package has its name")

export interface RegistryOptions {
  /** Lines of its file of users, with bcrypt. */
  readonly users?: string
  readonly token?: {
    readonly realm: string
    readonly service: string
    readonly issuer: string
    readonly rootcertbundle: string
  }
}

export async function startRegistry({ users, token }: RegistryOptions = {}): Promise<Registry> {
  const folder = temporaryFolder()
  await mkdir(join(folder, 'data'))
  const passwords = join(folder, 'htpasswd')
  if (users !== undefined) await writeFile(passwords, users)
  const host = `127.0.0.1:${await lastingPort()}`
  // JSON is YAML, and needs no quoting rules of its own.
  const config = {
    version: 0.1,
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, 'data') }, delete: { enabled: true } },
    http: { addr: host },
    ...(users === undefined ? {} : { auth: { htpasswd: { realm: 'test', path: passwords } } }),
    ...(token === undefined ? {} : { auth: { token } }),
  }
  const file = join(folder, 'config.yml')
  await writeFile(file, JSON.stringify(config))
  const server = spawn('docker-registry', ['serve', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(server, 'exit')
  let said = ''
  server.stderr.on('data', (chunk) => {
    said += chunk
  })
  await until(
    async () => {
      if (server.exitCode !== null) throw new Error(`docker-registry ended:\n${said}`)
      return fetch(`http://${host}/v2/`).then(
        () => true,
        () => false,
      )
    },
    () => `the registry, which says ${said}`,
  )
  return {
    host,
    folder,
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
