/**
 * Shell blocks of the pages. What asks a server is run, against one graph for all; our own commands have options that
 * there are and settings that the configuration takes; of what cannot run here (`others`) the files are looked for.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { readArguments } from '../../gateway/cli/command.ts'
import { commandNamed } from '../../gateway/cli/commands.ts'
import { startServeOauth } from '../../gateway/cli/oauth-server.ts'
import { readConfig } from '../../gateway/config/index.ts'
import { type Graph, startGraph } from '../../gateway/hosts/sandbox.ts'
import { lacks } from '../peers/needs.ts'
import { root } from '../support/deploy.ts'
import { allScopes } from '../support/graph.ts'
import { blocks } from './blocks.ts'
import { commandsOf, isScript, type ShellCommand } from './shell-commands.ts'

/** Programs that are not run here, each with the reason and what tries it instead. */
const others: Readonly<Record<string, string>> = {
  docker: 'there is no container engine here: test/deploy/{compose,image}.test.ts read the files',
  kubectl: 'there is no cluster here: test/deploy/kubernetes.test.ts checks the documents',
  helm: 'there is no cluster here: test/deploy/helm.test.ts renders the chart',
  rover: 'it needs a registry of Apollo GraphOS',
  wgc: 'it needs a control plane of Cosmo',
  hive: 'it needs a registry of Hive',
  npm: 'installing changes this tree: test/package installs the package',
  npx: 'test/examples builds and runs each example, and test/engine is run by itself',
  git: 'it fetches from elsewhere',
  gh: 'it comments on a pull request',
  curl: 'it asks a server elsewhere',
  export: 'a setting alone',
  cd: 'it changes the folder alone',
  cp: 'it copies a file to be filled in',
}

/** The commands in the recipes of examples/ci, which servers of others run. */
const recipes = ['github', 'gitlab'].map((name) => {
  const page = `examples/ci/${name}.yml`
  const found: string[] = []
  const look = (value: unknown, key = ''): void => {
    if (typeof value === 'string' && ['run', 'script', 'before_script'].includes(key)) found.push(value)
    else if (typeof value === 'object' && value !== null)
      for (const [own, each] of Object.entries(value)) look(each, Array.isArray(value) ? key : own)
  }
  look(parseYaml(readFileSync(join(root, page), 'utf8')))
  return { page, place: page, language: 'sh', text: found.join('\n') }
})

const written = [...blocks().filter(({ language }) => language === 'sh'), ...recipes]
const commands = written.filter((block) => !isScript(block)).flatMap(commandsOf)
const scripts = written.filter(isScript)

/** The arguments of `tessera`, if the command starts Tessera in any way. */
function ownArguments({ words }: ShellCommand): readonly string[] | undefined {
  const redirected = words.indexOf('>')
  const [program = '', ...rest] = redirected === -1 ? words : words.slice(0, redirected)
  if (program === 'tessera') return rest
  if (program === 'npx' && rest[0] === 'tessera') return rest.slice(1)
  if (program !== 'npm') return undefined
  if (rest[0] === 'start') return ['serve', ...rest.slice(1).filter((word) => word !== '--')]
  const at = rest.indexOf('--')
  return rest.includes('tessera') ? rest.slice(at === -1 ? rest.length : at + 1) : undefined
}

const own = commands.flatMap((command) => {
  const args = ownArguments(command)
  return args === undefined ? [] : [[command.place, command, args] as const]
})
const isAsked = ({ words, text }: ShellCommand): boolean =>
  words[0] === 'curl' && text.includes('http://127.0.0.1:4')
const asked = commands.filter(isAsked)
const ofOthers = commands.filter((command) => ownArguments(command) === undefined && !isAsked(command))

test('every command is run, starts Tessera, or is listed with the reason why it is not run', () => {
  const unknown = ofOthers.filter(
    ({ words: [program = ''], settings }) =>
      !(program in others) && !(program === '' && Object.keys(settings).length > 0),
  )
  expect(unknown.map(({ place }) => place)).toEqual([])
  expect([asked.length, own.length]).toEqual([expect.any(Number), expect.any(Number)])
  expect(asked.length).toBeGreaterThan(8)
  expect(own.length).toBeGreaterThan(25)
  for (const { page } of recipes)
    expect(own.filter(([, command]) => command.page === page).length).toBeGreaterThan(3)
})

/** What a reader fills in: a secret, an address. */
const filledIn = (value: string): string => value.replace(/\$\w+|…/g, 'x'.repeat(40))
/** Files that the page has told the reader to make. */
const readersFiles = /^(bearer|google|oauth2?):/

describe('commands of Tessera', () => {
  test.each(own)('%s', async (_place, { settings }, [name = '', ...args]) => {
    if (name !== '--version' && name !== 'help') {
      const command = await commandNamed(name)
      expect(command, `tessera ${name}`).toBeDefined()
      if (command === undefined) return
      const withoutConfig = args.filter(
        (word, index) => word !== '--config' && args[index - 1] !== '--config',
      )
      expect(() => readArguments(command, withoutConfig)).not.toThrow()
    }
    const given = Object.entries(settings).map(([key, value]) => [
      key,
      readersFiles.test(value) && !value.startsWith('bearer:') ? 'key:x' : filledIn(value),
    ])
    expect(readConfig(Object.fromEntries(given)).faults).toBeUndefined()
  })
})

test('settings without a command are taken by the configuration', () => {
  const alone = ofOthers.filter(({ words }) => words.length === 0 || words[0] === 'export')
  for (const { settings, words, place } of alone) {
    const exported = words.slice(1).map((word) => word.split('=', 2) as [string, string])
    expect(readConfig({ ...settings, ...Object.fromEntries(exported) }).faults, place).toBeUndefined()
  }
})

test('files of this repository that commands of others name are there', () => {
  const named = ofOthers.flatMap(({ place, words }) =>
    words
      .filter((word) => /^(\.\/)?(deploy|docs|examples|schema|test)\//.test(word))
      .map((word) => [place, word] as const),
  )
  expect(named.length).toBeGreaterThan(5)
  // Made by the command that names it.
  const made = ['deploy/secrets.yaml']
  const missing = named.filter(([, word]) => !made.includes(word) && !existsSync(join(root, word)))
  expect(missing).toEqual([])
})

interface Said {
  readonly text: string
  readonly code: number | null
}

/** Runs a script of a page; ends it as soon as it has said what is waited for. */
function bash(script: string, env: Readonly<Record<string, string>>, until?: RegExp): Promise<Said> {
  const child = spawn('bash', ['-c', script], {
    cwd: root,
    detached: true,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const hear = (chunk: Buffer): void => {
    text += chunk.toString()
    if (until?.test(text) === true && child.pid !== undefined) process.kill(-child.pid)
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  return new Promise((resolve) => child.once('close', (code) => resolve({ text, code })))
}

describe('requests to a server', () => {
  const secret = 'x'.repeat(40)
  let graph: Graph
  let env: Record<string, string>
  beforeAll(async () => {
    graph = await startGraph({
      settings: {
        TESSERA_ADMIN_PORT: '0',
        TESSERA_ADMIN_TOKEN: secret,
        TESSERA_RESPONSE_CACHE_BYTES: '1000000',
      },
      sandbox: { control: true },
    })
    env = { TOKEN: await graph.token(allScopes), ADMIN_TOKEN: secret }
  })
  afterAll(() => graph.stop())

  /** Pages on which a refusal is what is shown. */
  const refused: Readonly<Record<string, RegExp>> = { 'docs/federation.md': /UNAUTHORIZED_FIELD_OR_TYPE/ }

  test.each(asked.map((command) => [command.place, command] as const))('%s', async (_place, command) => {
    const text = command.text
      .replace(/http:\/\/127\.0\.0\.1:4000\/graphql/g, graph.url)
      .replace(/http:\/\/127\.0\.0\.1:4000/g, graph.gateway.url)
      .replace(/http:\/\/127\.0\.0\.1:4090/g, graph.gateway.adminUrl ?? '')
      .replace(/http:\/\/127\.0\.0\.1:4100/g, graph.sandbox.url)
      // `tessera token` makes a token in a process of its own, which other tests run.
      .replace(/\$\(npm run --silent tessera -- token [^)]*\)/g, '$TOKEN')
    expect(text).not.toMatch(/127\.0\.0\.1:4\d\d\d(?!\d)/)
    const streams = text.includes('text/event-stream')
    const until = streams ? /content-type: text\/event-stream/i : undefined
    const said = await bash(`curl -sS --include ${text.slice('curl '.length)}`, env, until)
    const expected = refused[command.page]
    if (expected !== undefined) return expect(said.text).toMatch(expected)
    expect(said.text).toMatch(/^HTTP\/1\.1 20[04]/)
    expect(said.text).not.toMatch(/"errors":|"error":/)
    if (!streams) expect(said.code).toBe(0)
  })
})

test.skipIf(lacks('oidc-provider')).each(scripts.map((block) => [block.place, block] as const))(
  '%s',
  async (_place, { text }) => {
    const { config } = readConfig({ PORT: '0' })
    if (config === undefined) throw new Error('the defaults are refused')
    const { server, variables } = await startServeOauth({ config, isOpaque: false, port: 0 })
    const { PORT, ...settings } = variables
    const graph = await startGraph({ port: Number(PORT), settings })
    try {
      const script = text
        .replaceAll('http://127.0.0.1:4000', graph.gateway.url)
        .replaceAll('http://127.0.0.1:4101', server.url)
      const said = await bash(script, {})
      expect(said.code, said.text).toBe(0)
      const challenges = said.text.match(/^www-authenticate: .*$/gim) ?? []
      expect(challenges).toEqual([
        expect.stringMatching(/scope="[^"]*tweet\.read/),
        expect.stringMatching(/insufficient_scope.*tweet\.read/),
      ])
      expect(said.text).toContain(`"authorization_servers":["${server.url}"]`)
      expect(said.text).toMatch(/^\{"data":\{"message":/m)
    } finally {
      await graph.stop()
      await server.close()
    }
  },
)
