/**
 * The image without a Docker daemon: the Dockerfile's form, and what it would hold, put together by the same steps
 * from the same files and run as a container runs it: process 1, another user, nothing writable, no environment.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDeployed, root } from '../support/deploy.ts'
import { pack } from '../support/package.ts'
import { postJson } from '../support/post-json.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { temporaryFolder } from '../support/temporary.ts'

const dockerfile = readDeployed('Dockerfile')
const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))

describe('the Dockerfile', () => {
  test('has no fault, and faults would be seen', () => {
    expect(validate(dockerfile)).toEqual([])
    expect(validate(dockerfile.replace('WORKDIR /app', 'WORKDIR app')).length).toBe(1)
    expect(validate(dockerfile.replace('STOPSIGNAL SIGTERM', 'STOPSIGNAL')).length).toBe(1)
    expect(validate(dockerfile.replace('EXPOSE', 'EXPOSES')).length).toBe(1)
  })

  test('ends in a stage that runs as a user by number and starts the command line itself, without a shell', () => {
    expect(/^USER (.+)$/m.exec(lastStage)?.[1]).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(/^ENTRYPOINT (.+)$/m.exec(lastStage)?.[1]).toBe(
      '["node", "--max-semi-space-size=16", "bin/tessera.js"]',
    )
    expect(/^CMD (.+)$/m.exec(lastStage)?.[1]).toBe('["serve"]')
    expect(lastStage).not.toMatch(/^RUN /m)
  })

  test('is built on the Node that the package asks for', () => {
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      engines: { node: string }
    }
    const major = Number(/^ARG NODE_IMAGE=node:(\d+)-/m.exec(dockerfile)?.[1])
    expect(major).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]))
    expect(major).toBe(Number(process.versions.node.split('.')[0]))
  })
})

/** The working directory that the image would have. */
let app = ''
afterAll(() => {
  if (app !== '') rmSync(dirname(app), { recursive: true, force: true })
})

/** Follows the Dockerfile: the build's context, and the package that npm makes of it. */
async function putTogether(): Promise<void> {
  const archive = await pack()
  const [, options = ''] = /tar -xzf \S+ (.+) -C \/package$/m.exec(dockerfile) ?? []
  mkdirSync(app)
  spawnSync('tar', ['-xzf', archive, ...options.split(' '), '-C', app])
  // Others than its owner have to be able to read it, as in an image, whatever this process lets others read.
  spawnSync('chmod', ['755', dirname(app)])
  spawnSync('chmod', ['-R', 'a+rX', app])
}

/** Whether this machine lets us start a process as a container has it. */
const contained = spawnSync('unshare', ['--pid', '--fork', '--mount', 'true']).status === 0
if (!contained) {
  process.stdout.write(
    'skipped: the image as process 1 on a read-only file system (no right to unshare); run plainly\n',
  )
}

interface Container extends AsyncDisposable {
  readonly process: RunningProcess
  /** The process that would be process 1 of the container, by our number for it. */
  pid(): number
}

/** Runs the image's command with nothing but what its Dockerfile sets. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Container {
  const command = [process.execPath, 'bin/tessera.js', ...args]
  const options = { cwd: app, env: { NODE_ENV: 'production', ...env } }
  if (!contained) {
    const plain = startProcess(command[0] ?? '', command.slice(1), options)
    return {
      process: plain,
      pid: () => plain.child.pid ?? 0,
      [Symbol.asyncDispose]: plain[Symbol.asyncDispose],
    }
  }
  const user = [
    'setpriv',
    '--reuid',
    '1000',
    '--regid',
    '1000',
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
  ]
  const script =
    'mount --make-rprivate / && mount --bind . . && cd "$PWD" && mount -o remount,ro,bind . && mount -o remount,ro,bind / && exec "$@"'
  const wrapped = startProcess(
    'unshare',
    ['--pid', '--fork', '--mount', 'sh', '-c', script, 'sh', ...user, ...command],
    options,
  )
  const parent = wrapped.child.pid ?? 0
  const children = (): string => readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim()
  return {
    process: wrapped,
    pid: () => Number(children()),
    async [Symbol.asyncDispose]() {
      // Another user's process outlives its parent, even a parent that asked for the contrary.
      const { exitCode, signalCode } = wrapped.child
      if (exitCode === null && signalCode === null && children() !== '')
        process.kill(Number(children()), 'SIGKILL')
      await wrapped[Symbol.asyncDispose]()
    },
  }
}

/** The image's health check, as Docker runs it beside the process. */
async function expectHealthy(port: string, env = {}): Promise<void> {
  const [, check = '[]'] = /HEALTHCHECK[^\n]*\\\n\s+CMD (.+)/.exec(lastStage) ?? []
  const [program, ...args] = JSON.parse(check) as string[]
  expect(program).toBe('node')
  await using asked = startProcess(process.execPath, args, {
    cwd: app,
    env: { NODE_ENV: 'production', PORT: port, ...env },
  })
  expect([await asked.ended, asked.output()]).toEqual([0, expect.stringContaining('ok')])
}

describe('what the image would hold', () => {
  beforeAll(async () => {
    const folder = temporaryFolder()
    app = join(folder, 'app')
    await putTogether()
  })

  test('is what runs, and nothing of how it is made', () => {
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' })
    expect(files).toEqual(
      expect.arrayContaining(['bin/tessera.js', 'dist/bundle/main.mjs', 'schema/supergraph.graphql']),
    )
    expect(
      files.filter((name) => /^(dist\/)?(test|bench|examples|deploy|docs|node_modules)(\/|$)/.test(name)),
    ).toEqual([])
    expect(files.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([])
  })

  test('starts without settings or writable folders, and answers; on a signal to process 1, it ends well', async () => {
    await using container = run(['serve', '--port', '0'])
    const url = await container.process.said('graph')
    if (contained) {
      const status = readFileSync(`/proc/${container.pid()}/status`, 'utf8')
      expect(/^NSpid:.*\t(\d+)$/m.exec(status)?.[1]).toBe('1')
      expect(/^Uid:\t(\d+)/m.exec(status)?.[1]).toBe('1000')
      expect(/^CapEff:\t0*([0-9a-f]+)$/m.exec(status)?.[1]).toBe('0')
      expect(readFileSync(`/proc/${container.pid()}/mounts`, 'utf8')).toMatch(/^\S+ \/ \S+ ro[,\s]/m)
    }
    const answer = await postJson(
      url,
      '{"query":"{ chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } message(messageId: \\"20\\") { text } }"}',
    )
    expect(await answer.json()).toMatchObject({ data: { chartVideos: { totalCount: 120 }, message: null } })
    // The page comes with what it is made of.
    const page = await fetch(new URL('/', url), { headers: { accept: 'text/html' } })
    const scripts = [...(await page.text()).matchAll(/<script[^>]* src="([^"]+)"/g)].map(
      ([, src = '']) => src,
    )
    expect(scripts.length).toBeGreaterThan(0)
    for (const src of scripts) expect((await fetch(new URL(src, new URL('/', url)))).status).toBe(200)
    await expectHealthy(new URL(url).port)
    process.kill(container.pid(), 'SIGTERM')
    expect(await container.process.ended).toBe(0)
    expect(container.process.output()).not.toMatch(/EROFS|EACCES|"level":(50|60)/)
  })

  test.each([
    ['serve', ['--help']],
    ['subgraph', ['--help']],
    ['sandbox', ['--help']],
    ['compose', []],
    ['check', []],
  ])('has all that %s loads', async (command, args) => {
    await using container = run([command, ...args])
    expect([await container.process.ended, container.process.output()]).toEqual([0, expect.any(String)])
  })

  test.each(['videos', 'nodes'])('serves the %s subgraph by itself', async (name) => {
    await using container = run(['subgraph', name, '--port', '0'], {
      TESSERA_SUBGRAPH_SECRET: 'a secret that is long enough',
    })
    const url = await container.process.said(name)
    expect((await fetch(new URL('/health/ready', url))).status).toBe(200)
    process.kill(container.pid(), 'SIGTERM')
    expect(await container.process.ended).toBe(0)
  })
})
