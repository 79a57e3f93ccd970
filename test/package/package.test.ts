/**
 * The package as npm makes it: what it holds, and what publint says about it. If everything is checked
 * (`campaign-size.ts`), also what arethetypeswrong says about it, and that the installed package runs. It is
 * installed in an empty folder and runs on this Node and on those that TESSERA_TEST_NODES names (paths, separated
 * by colons).
 */
import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { beforeAll, describe, expect, test } from 'vitest'
import { lacks } from '../peers/needs.ts'
import { isFull } from '../support/campaign-size.ts'
import { root } from '../support/deploy.ts'
import { pack } from '../support/package.ts'
import { postJson } from '../support/post-json.ts'
import { startProcess } from '../support/process.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
/** The folder into which it is installed. */
const user = join(folder, 'user')
/** What the command line keeps for its next start goes with the folder. */
const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') }
let archive = ''

beforeAll(async () => {
  archive = await pack()
})

const others = (process.env.TESSERA_TEST_NODES ?? '').split(':').filter((path) => path !== '')
if (isFull && others.length === 0) {
  process.stdout.write(
    'the package is run on this Node alone (TESSERA_TEST_NODES names others; .ci/tools installs them)\n',
  )
}
const nodes = [process.execPath, ...others].map((path) => {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return [stdout?.trim() ?? '', path] as const
})

describe('the package', () => {
  test('holds what runs and what tells of it, and nothing of how it is made', () => {
    const { stdout } = spawnSync('tar', ['-tzf', archive], { encoding: 'utf8' })
    const files = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/^package\//, ''))
    const tops = new Set(files.map((file) => file.split('/')[0]))
    expect([...tops].sort()).toEqual(
      [
        ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'bin', 'dist', 'docs'],
        ...['package.json', 'schema'],
      ].sort(),
    )
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/bundle/main.mjs',
        'dist/library/index.mjs',
        'dist/gateway/index.d.ts',
        'dist/explorer-page/index.html',
        'schema/scalars.json',
        'schema/supergraph.graphql',
      ]),
    )
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const linked = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path)
    expect(linked.filter((path) => !files.includes(path ?? ''))).toEqual([])
    expect(files.filter((file) => /(?<!\.d)\.tsx?$|\.map$|\.tsbuildinfo$/.test(file))).toEqual([])
    // Types of every entry, and no module but those of the bundles.
    const modules = files.filter((file) => /^dist\/(?!explorer-page\/).*\.m?js$/.test(file))
    expect(modules.filter((file) => !/^dist\/(bundle|library)\//.test(file))).toEqual([])
  })

  test('names the licences of bundled code, and the Elastic licence is not among them', () => {
    for (const [folder, names] of [
      ['bundle', ['graphql', 'undici', 'pino', '@apollo/server']],
      ['library', ['undici', 'pino', '@theguild/federation-composition']],
      ['explorer-page', ['react', '@codemirror/view']],
    ] as const) {
      const args = ['-xzOf', archive, `package/dist/${folder}/THIRD-PARTY.md`]
      const { stdout } = spawnSync('tar', args, { encoding: 'utf8' })
      const bundled = [...stdout.matchAll(/^## (\S+) - [\d.]+ \((.+)\)$/gm)]
      expect(bundled.filter(([, , licence = '']) => /elastic/i.test(licence))).toEqual([])
      const named = bundled.map(([, name]) => name)
      expect(named).toEqual(expect.arrayContaining([...names]))
    }
  })

  test('is found well by publint', async () => {
    const { buffer, byteOffset, byteLength } = readFileSync(archive)
    const tarball = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
    const { messages, pkg = {} } = await publint({ strict: true, pack: { tarball } })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })
})

test.skipIf(!isFull || lacks('@arethetypeswrong/cli'))(
  'types resolve at every entry, as arethetypeswrong checks them',
  () => {
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [attw, archive, '--profile', 'esm-only', '--no-color', '--no-emoji'],
      { encoding: 'utf8', cwd: folder },
    )
    expect(status, stdout + stderr).toBe(0)
    for (const entry of [
      'tessera-graph',
      'tessera-graph/engine',
      'tessera-graph/apollo',
      'tessera-graph/hooks',
      'tessera-graph/kit',
      'tessera-graph/sandbox',
      'tessera-graph/subgraphs',
    ])
      expect(stdout).toContain(`"${entry}"`)
  },
)

describe.skipIf(!isFull)('installed in an empty folder', () => {
  beforeAll(() => {
    mkdirSync(user)
    writeFileSync(join(user, 'package.json'), '{"private":true}')
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
    const { status, stderr } = spawnSync('npm', ['install', ...options, archive], {
      cwd: user,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`npm install failed:\n${stderr}`)
  })

  test('brings only graphql, and few megabytes', () => {
    const modules = join(user, 'node_modules')
    const installed = readdirSync(modules).filter((name) => !name.startsWith('.'))
    expect(installed.sort()).toEqual(['graphql', 'tessera-graph'])
    const bytes = readdirSync(modules, { recursive: true, encoding: 'utf8' }).map((name) => {
      const stats = lstatSync(join(modules, name))
      return stats.isFile() ? stats.size : 0
    })
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(25_200_000)
  })

  test('its types are right with those of the oldest Node that it supports', () => {
    const typed = join(folder, 'typed')
    mkdirSync(typed)
    writeFileSync(join(typed, 'package.json'), '{ "type": "module", "private": true }')
    const entries = ['', '/engine', '/hooks', '/kit', '/sandbox', '/subgraphs']
    for (const [at, name] of entries.entries())
      writeFileSync(join(typed, `${at}.ts`), `export * from 'tessera-graph${name}'\n`)
    const compilerOptions = { target: 'es2024', module: 'nodenext', noEmit: true, types: ['node'] }
    writeFileSync(join(typed, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    for (const [command, args, cwd] of [
      ['npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', archive, '@types/node@22'], typed],
      ['npx', ['tsc', '-p', typed], root],
    ] as const) {
      const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
      expect(status, stdout + stderr).toBe(0)
    }
  })

  describe.each(nodes)('on Node %s', (_version, node) => {
    const bin = join(user, 'node_modules/.bin/tessera')

    test('it serves the graph and its page, and ends well when it is stopped', async () => {
      await using tessera = startProcess(node, [bin, 'serve', '--port', '0'], { cwd: user })
      const url = await tessera.said('graph')
      const answer = await postJson(
        url,
        '{"query":"{ chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } }"}',
      )
      expect(await answer.json()).toMatchObject({ data: { chartVideos: { totalCount: 120 } } })
      const page = await fetch(new URL('/', url), { headers: { accept: 'text/html' } })
      const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? []
      expect((await fetch(new URL(script, new URL('/', url)))).status).toBe(200)
      tessera.child.kill('SIGTERM')
      expect([await tessera.ended, tessera.output()]).toEqual([0, expect.not.stringMatching(/Error|Warning/)])
    })

    test('it composes the schema that it holds', async () => {
      const { status, stdout, stderr } = spawnSync(node, [bin, 'compose'], {
        cwd: user,
        env,
        encoding: 'utf8',
      })
      expect([status, stderr]).toEqual([0, ''])
      // The file says above the schema what its source is.
      const held = readFileSync(join(root, 'schema/supergraph.graphql'), 'utf8').replace(/^#.*\n+/gm, '')
      expect(stdout.replace(/^#.*\n+/gm, '').trim()).toBe(held.trim())
    })
  })
})

describe('the command line', () => {
  /** The real bin, over a program that names its source. */
  const checkout = join(folder, 'checkout')
  const bin = join(checkout, 'bin/tessera.js')

  beforeAll(() => {
    for (const [path, text] of [
      ...['bin/tessera.js', 'bin/prepared.js', 'package.json'].map(
        (path) => [path, readFileSync(join(root, path), 'utf8')] as const,
      ),
      ['gateway/main.ts', "const from: string = 'source'\nconsole.log(from)\n"],
      ['dist/bundle/main.mjs', "console.log('built')\n"],
    ] as const) {
      mkdirSync(join(checkout, path, '..'), { recursive: true })
      writeFileSync(join(checkout, path), text)
    }
  })

  test('says on a Node that is too old which one is needed, and loads nothing', () => {
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      engines: { node: string }
    }
    const needed = /\d+\.\d+/.exec(engines.node)?.[0]
    const asNode = (version: string) => {
      const versions = `{ value: { ...process.versions, node: '${version}' } }`
      const pretend = encodeURIComponent(`Object.defineProperty(process, 'versions', ${versions})`)
      return spawnSync(process.execPath, ['--import', `data:text/javascript,${pretend}`, bin], {
        env,
        encoding: 'utf8',
      })
    }
    for (const version of ['18.20.4', '20.20.2', '22.12.0', '22.18.0']) {
      const { status, stdout, stderr } = asNode(version)
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toContain(`Node ${needed} or newer is needed, and this is ${version}.`)
      expect(stderr).not.toMatch(/at .*:\d+/)
    }
    for (const version of ['22.19.0', '24.0.0', '100.0.0']) {
      expect(asNode(version)).toMatchObject({ status: 0, stdout: 'source\n' })
    }
  })

  test('takes the source in a checkout, whatever was built from it before', () => {
    const run = (): string => spawnSync(process.execPath, [bin], { env, encoding: 'utf8' }).stdout
    expect(run()).toBe('source\n')
    rmSync(join(checkout, 'gateway'), { recursive: true })
    expect(run()).toBe('built\n')
  })
})
