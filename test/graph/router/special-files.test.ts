/**
 * Paths in the configuration that lead to no file: each ends the start immediately with a message, or changes
 * nothing.
 */
import { spawn, spawnSync } from 'node:child_process'
import { symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startInProcess } from '../../support/in-process-command.ts'
import { environment, main } from '../../support/process.ts'
import { onlyProducts, shop, startInFront, supergraphOf, until } from '../../support/router.ts'
import { temporaryFiles } from '../../support/temporary.ts'

const { folder, file } = temporaryFiles()
const pipe = join(folder, 'pipe')
spawnSync('mkfifo', [pipe])
const supergraph = supergraphOf([{ name: 'products', sdl: shop.products.sdl, url: 'http://127.0.0.1:1/g' }])
const good = file('supergraph.graphql', supergraph)
const config = file('tls.yaml', 'traffic:\n  subgraphs:\n    products:\n      tls:\n        ca: /dev/zero\n')

const noDevice = 'it is a device; expected a regular file'
const noPipe = 'it is a named pipe; expected a regular file'

test.each<[string, readonly string[], Record<string, string>, string]>([
  ['a supergraph', ['serve', '--supergraph', '/dev/zero'], {}, `/dev/zero: ${noDevice}`],
  ['a supergraph', ['serve', '--supergraph', pipe], {}, `${pipe}: ${noPipe}`],
  ['a configuration', ['serve', '--supergraph', good], { TESSERA_CONFIG: pipe }, noPipe],
  ['hooks', ['serve', '--supergraph', good], { TESSERA_HOOKS: '/dev/zero' }, `/dev/zero: ${noDevice}`],
  [
    'trusted operations',
    ['serve', '--supergraph', good],
    { TESSERA_PERSISTED: 'trusted', TESSERA_PERSISTED_MANIFEST: pipe },
    `TESSERA_PERSISTED_MANIFEST: ${pipe} cannot be read: ${noPipe}`,
  ],
  [
    'a certificate of ours',
    ['serve', '--supergraph', good],
    { TESSERA_TLS_CERT: '/dev/zero', TESSERA_TLS_KEY: good },
    `the TLS file /dev/zero cannot be read: ${noDevice}`,
  ],
  [
    'an authority of a subgraph',
    ['serve', '--supergraph', good],
    { TESSERA_CONFIG: config },
    `traffic: the file of tls.ca cannot be read: /dev/zero: ${noDevice}`,
  ],
  ['a check', ['check'], { TESSERA_SUPERGRAPH: pipe }, `cannot be read: ${pipe}: ${noPipe}`],
  ['a comparison', ['diff', good, '/dev/zero'], {}, `/dev/zero cannot be read: ${noDevice}`],
  ['a contract', ['contract', '--subgraph', `a=${pipe}`, '--include', 'x'], {}, `cannot be read: ${noPipe}`],
  ['a composition', ['compose', '--with', 'a=/dev/zero'], {}, `/dev/zero cannot be read: ${noDevice}`],
])('%s that is no file', async (_, args, env, said) => {
  await using process = startInProcess([...args, ...(args[0] === 'serve' ? ['--port', '0'] : [])], env)
  expect(await process.ended).toBeGreaterThan(0)
  expect(process.output()).toContain(said)
})

test('a supergraph and a configuration from pipes of the shell are served', async () => {
  const command = `cat "$FILE" | "$NODE" "$MAIN" serve --port 0 --supergraph /dev/stdin 3<<END
explorer: { mode: "off" }
reload: { watchMs: 50 }
END`
  const child = spawn('sh', ['-c', command], {
    env: { ...environment(), NODE: process.execPath, MAIN: main, FILE: good, TESSERA_CONFIG: '/dev/fd/3' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  try {
    await until(() => /^graph\s+http/m.test(output) || child.exitCode !== null, 'it serves')
    const [, address = ''] = /^graph\s+(\S+)/m.exec(output) ?? []
    const ready = (await (await fetch(`${new URL(address).origin}/health/ready`)).json()) as {
      generation: { number: number; refused?: unknown }
    }
    expect(ready.generation).toMatchObject({ number: 1 })
    expect(ready.generation.refused).toBeUndefined()
    expect(output).not.toMatch(/^explorer/m)
  } finally {
    // The shell and what it started.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
})

test('a supergraph from a pipe of the shell is checked, although it can be read only once', () => {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', 'cat "$FILE" | "$NODE" "$MAIN" check'], {
    env: {
      ...environment(),
      NODE: process.execPath,
      MAIN: main,
      FILE: good,
      TESSERA_SUPERGRAPH: '/dev/stdin',
    },
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^ok +supergraph +file .*: 1 subgraph$/m)
  expect(stdout).toMatch(/^ok +start /m)
})

test('workers do not serve without the configuration that only their primary can read from a pipe', () => {
  const command = '"$NODE" "$MAIN" serve --port 0 --workers 2 9<<END\nexplorer: { mode: "off" }\nEND'
  const { status, stderr } = spawnSync('sh', ['-c', command], {
    env: { ...environment(), NODE: process.execPath, MAIN: main, TESSERA_CONFIG: '/dev/fd/9' },
    encoding: 'utf8',
    timeout: 120_000,
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/worker \d ended .*\n {2}TESSERA_CONFIG: \/dev\/fd\/9 cannot be read/)
})

test('a supergraph that becomes a device or too large changes nothing', async () => {
  const { router } = await startInFront(onlyProducts)
  const path = join(router.folder, 'supergraph.graphql')
  for (const [make, reason] of [
    [() => symlinkSync('/dev/zero', path), noDevice],
    [() => symlinkSync(pipe, path), noPipe],
    [() => writeFileSync(path, Buffer.alloc(64 * 1024 * 1024 + 1, '#')), 'it is larger than 67108864 bytes'],
  ] as const) {
    unlinkSync(path)
    make()
    const { refused } = await router.reload()
    expect(refused?.reasons.some((each) => each.endsWith(reason))).toBe(true)
    expect((await router.ask('{ products { name } }')).body.errors).toBeUndefined()
  }
})
