/** What a newcomer meets in the terminal: misspelt words, files with faults, readers that go away, and first files. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../support/deploy.ts'
import { startInProcess } from '../../support/in-process-command.ts'
import { pack } from '../../support/package.ts'
import { postJson } from '../../support/post-json.ts'
import { command, environment } from '../../support/process.ts'
import { temporaryFiles } from '../../support/temporary.ts'
import { standInFolder } from './command-line.ts'

const { folder, file } = temporaryFiles()
standInFolder()

async function tessera(args: readonly string[], env = {}): Promise<{ code: unknown; said: string }> {
  await using ran = startInProcess(args, env)
  return { code: await ran.ended, said: ran.output() }
}

test('a misspelt command or option is answered with the one that was meant', async () => {
  expect(await tessera(['sevre'])).toEqual({
    code: 2,
    said: 'tessera: no such command: sevre; did you mean serve?\n',
  })
  expect((await tessera(['serve', '--prot', '1'])).said).toMatch(
    /unknown option --prot; did you mean --port\?/,
  )
  expect(await tessera(['--versoin'])).toEqual({
    code: 2,
    said: 'tessera: unknown option --versoin; did you mean --version?\n',
  })
})

test.each([
  ['serve', '--oauth-port', '4101'],
  ['serve', '--oauth-opaque'],
  ['sandbox', '--oauth-resource', 'https://graph.example.com/graphql'],
])('%s %s without --oauth is refused', async (...args) => {
  const { code, said } = await tessera(args)
  expect([code, said]).toEqual([2, expect.stringContaining(`${args[1]} needs --oauth`)])
})

test('--config names the configuration file, before the command and after it', async () => {
  const config = file('tessera.yaml', 'PROT: 1\n')
  for (const args of [
    ['--config', config, 'check'],
    ['check', '--config', config],
    ['check', `--config=${config}`],
  ])
    expect(await tessera(args)).toEqual({
      code: 2,
      said: expect.stringMatching(/PROT: no such key.*did you mean PORT/),
    })
  expect((await tessera(['check', '--config'])).code).toBe(2)
})

test('scopes lists each scope with what it opens, and token warns of one that opens nothing', async () => {
  const { said } = await tessera(['scopes', '--json'])
  const scopes = JSON.parse(said) as { name: string; opens: string[] }[]
  expect(scopes.find(({ name }) => name === 'media.owner')?.opens).toEqual(
    expect.arrayContaining(['Video.fileDetails', 'Video.processingDetails', 'Video.suggestions']),
  )
  const { code, said: warned } = await tessera(['token', '--scope', 'metrics.raed media.owner'])
  expect(code).toBe(0)
  expect(warned).toMatch(/warning: no field requires metrics\.raed; did you mean metrics\.read\?/)
  expect(warned).not.toMatch(/asks for media\.owner/)
})

test('a file that is not GraphQL is reported as file:line:column, whichever command reads it', async () => {
  const broken = file('broken.graphql', 'type Query {\n  a: Int\n  b Int\n}\n')
  const supergraph = join(root, 'schema/supergraph.graphql')
  for (const args of [
    ['plan', broken, '--supergraph', supergraph],
    ['persist', folder],
    ['compose', '--with', `x=${broken}`],
    ['diff', broken, supergraph],
    ['scopes', '--supergraph', broken],
  ]) {
    const { code, said } = await tessera(args)
    expect({ args: args[0], code, said }).toMatchObject({ said: expect.stringContaining(`${broken}:3:5: `) })
    expect(code).not.toBe(0)
  }
})

test('a command ends quietly if the reader of its output closes the pipe', () => {
  const program = [process.execPath, ...command].map((word) => `'${word}'`).join(' ')
  const { stdout, stderr } = spawnSync('sh', ['-c', `${program} compose | head -n 1`], {
    encoding: 'utf8',
    env: environment(),
    cwd: folder,
  })
  expect(stderr).toBe('')
  expect(stdout.split('\n')).toHaveLength(2)
})

test('check says as JSON what it found, and why a service cannot be reached', async () => {
  const { code, said } = await tessera(['check', '--json'], {
    TESSERA_METRICS_URL: 'http://127.0.0.1:1',
    TESSERA_VIDEOS_URL: 'https://no-such-host.invalid',
  })
  const { ok, looks } = JSON.parse(said) as {
    ok: boolean
    looks: { subject: string; state: string; said?: string }[]
  }
  expect([code, ok]).toEqual([1, false])
  const of = (subject: string): object | undefined => looks.find((look) => look.subject === subject)
  expect(of('metrics')).toMatchObject({
    state: 'failed',
    said: expect.stringContaining('nothing listens there'),
  })
  expect(of('videos')).toMatchObject({
    state: 'failed',
    said: expect.stringMatching(/no host of this name|cannot be looked up/),
  })
})

test.each([['check'], ['serve'], ['subgraph', 'videos']])(
  '%s %s tells a missing credentials file in one line',
  async (...args) => {
    const { code, said } = await tessera([...args], {
      TESSERA_VIDEOS_URL: 'https://videos.example.com',
      TESSERA_VIDEOS_CREDENTIAL: 'google:/no/such/file.json',
      TESSERA_SUBGRAPH_SECRET: 'a secret that is long enough',
      PORT: '0',
    })
    const words =
      'the credentials file of videos (/no/such/file.json) cannot be read: there is no such file or folder\n'
    expect(code).toBe(1)
    // Among its looks, check has one at the files.
    if (args[0] === 'check') expect(said).toMatch(/^FAILED +services /)
    else expect(said).toBe(`tessera ${args[0]}: ${words}`)
    expect(said).toContain(words)
  },
)

test('completion knows every command and its options', () => {
  const program = [process.execPath, ...command].map((word) => `'${word}'`).join(' ')
  const complete = (line: string): string[] => {
    const words = line.split(' ')
    const script = `source <(${program} completion bash); COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _tessera; printf '%s\\n' "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', script], { encoding: 'utf8', env: environment(), cwd: folder })
      .stdout.trim()
      .split('\n')
  }
  expect(complete('tessera sc')).toEqual(['scopes'])
  expect(complete('tessera serve --su')).toEqual(['--supergraph'])
})

/** The package as npm makes it, with what it needs. */
async function linkPackage(into: string): Promise<void> {
  const own = join(into, 'node_modules/tessera-graph')
  mkdirSync(own, { recursive: true })
  const { status, stderr } = spawnSync('tar', ['-xzf', await pack(), '--strip-components=1', '-C', own])
  if (status !== 0) throw new Error(`the package cannot be read: ${stderr}`)
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') && name !== 'tessera-graph')
      symlinkSync(join(root, 'node_modules', name), join(into, 'node_modules', name))
}

interface Program extends AsyncDisposable {
  readonly url: string
}

/** Starts a file of a new subgraph. It says its address, and nothing else before or after it. */
async function startProgram(made: string, path: string, name: string, env = {}): Promise<Program> {
  const child = spawn(process.execPath, [path], {
    cwd: made,
    env: { ...environment(), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  await expect.poll(() => said).toContain(`${name} http`)
  return {
    url: said.trim().split(' ')[1] ?? '',
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
      expect(said).toMatch(new RegExp(`^${name} http://127\\.0\\.0\\.1:\\d+/?\n$`))
    },
  }
}

async function startSubgraph(made: string, service: string) {
  const program = await startProgram(made, 'src/main.ts', 'subgraph', { SERVICE_URL: service })
  return {
    async ask(query: string) {
      return (await (await postJson(program.url, { query })).json()) as {
        readonly data?: unknown
        readonly errors?: readonly { readonly extensions: unknown }[]
      }
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}

test('new subgraph writes a subgraph that compiles and whose tests pass, and overwrites nothing', async () => {
  const made = join(folder, 'books')
  expect(await tessera(['new', 'subgraph', 'books', '--folder', made])).toMatchObject({ code: 0 })
  await linkPackage(made)
  const compiled = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit'], {
    cwd: made,
    encoding: 'utf8',
  })
  expect(compiled.stdout).toBe('')
  const tested = spawnSync(process.execPath, ['--test', 'test/*.test.ts'], {
    cwd: made,
    encoding: 'utf8',
    env: environment(),
  })
  expect([tested.status, tested.stdout]).toEqual([0, expect.stringMatching(/# pass 3|pass 3/)])
  const query = '{ books(first: 1) { nodes { title } } }'
  await using alone = await startSubgraph(made, 'http://127.0.0.1:1')
  expect((await alone.ask(query)).errors?.[0]?.extensions).toEqual({
    code: 'UPSTREAM_UNAVAILABLE',
    service: 'books',
    upstream: { reason: 'connection' },
  })
  await using standIn = await startProgram(made, 'test/serve-stand-in.ts', 'stand-in')
  await using subgraph = await startSubgraph(made, standIn.url)
  expect((await subgraph.ask(query)).data).toEqual({ books: { nodes: [{ title: 'The title of 1' }] } })
  expect(await tessera(['new', 'subgraph', 'books', '--folder', made])).toEqual({
    code: 1,
    said: expect.stringContaining('would be overwritten'),
  })
})

test.each(['querys', 'subscriptions', 'strings'])(
  'no subgraph is written for %s, whose type is one of GraphQL',
  async (name) => {
    expect(await tessera(['new', 'subgraph', name, '--folder', join(folder, name)])).toEqual({
      code: 2,
      said: expect.stringContaining(`GraphQL has a type of its own for ${name}`),
    })
  },
)

test('no subgraph is written whose name is a word of TypeScript', async () => {
  expect(await tessera(['new', 'subgraph', 'class', '--folder', join(folder, 'class')])).toEqual({
    code: 2,
    said: expect.stringContaining('class is a word of TypeScript'),
  })
})

test.each([
  ['videos', 'Query.video'],
  ['thumbnails', 'Thumbnail'],
])(
  'a subgraph of %s is written with a warning that it does not compose with our own',
  async (name, taken) => {
    expect(await tessera(['new', 'subgraph', name, '--folder', join(folder, name)])).toEqual({
      code: 0,
      said: expect.stringMatching(
        `^tessera new: warning: our own graph has ${taken}, so the two do not compose: choose another name`,
      ),
    })
  },
)

test('init writes a configuration that check takes, operations that persist takes, and hooks', async () => {
  const made = join(folder, 'graph')
  expect(await tessera(['init', made])).toMatchObject({ code: 0 })
  await linkPackage(made)
  // As `npm init` writes it.
  writeFileSync(join(made, 'package.json'), '{ "type": "commonjs" }')
  const config = join(made, 'tessera.yaml')
  writeFileSync(config, readFileSync(config, 'utf8').replace('./hooks.ts', join(made, 'hooks.ts')))
  expect(await tessera(['check', '--config', config])).toMatchObject({ code: 0 })
  expect(await tessera(['persist', join(made, 'operations')])).toMatchObject({ code: 0 })
})
