/**
 * The clients in other languages (`examples/clients/`), generated from the schema, compiled, and run against a gateway
 * by the commands of their README. Their packages come from the registries of their languages, and compiling takes
 * minutes: they run when everything is checked.
 */
import { spawn, spawnSync } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFull } from '../support/campaign-size.ts'
import { root } from '../support/deploy.ts'
import { type Graph, startGraph } from '../support/graph.ts'
import { temporaryFolder } from '../support/temporary.ts'

interface Client {
  /** Below `examples/clients/`. */
  readonly folder: string
  /** The programs of its toolchain, with the arguments that print a version. */
  readonly needs: readonly (readonly [string, string])[]
  /** As a shell runs them in the folder; `$GRAPH` is the address of the graph. */
  readonly commands: readonly string[]
  /** Runs what was compiled once more; the last of the commands unless given. */
  readonly again?: string
}

const maven: Client['needs'] = [
  ['mvn', '-version'],
  ['javac', '-version'],
]

const clients: readonly Client[] = [
  { folder: 'go-genqlient', needs: [['go', 'version']], commands: ['go generate', 'go run . "$GRAPH"'] },
  {
    folder: 'python-ariadne',
    needs: [['python3', '--version']],
    commands: [
      'python3 -m venv venv',
      'venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt',
      'venv/bin/ariadne-codegen client >/dev/null',
      'venv/bin/python main.py "$GRAPH"',
    ],
  },
  { folder: 'rust', needs: [['cargo', '--version']], commands: ['cargo run --quiet --bin cynic "$GRAPH"'] },
  {
    folder: 'rust',
    needs: [['cargo', '--version']],
    commands: ['cargo run --quiet --bin graphql_client "$GRAPH"'],
  },
  {
    folder: 'java-dgs',
    needs: maven,
    commands: ['mvn -q -B -Dstyle.color=never compile exec:java -Dexec.args="$GRAPH"'],
    again: 'mvn -q -B -Dstyle.color=never exec:java -Dexec.args="$GRAPH"',
  },
  {
    folder: 'kotlin-apollo',
    needs: maven,
    commands: ['mvn -q -B -Dstyle.color=never verify -Dgraph.url="$GRAPH"'],
  },
]

/** The first of the programs that is not there. */
function lacking({ needs }: Client): string | undefined {
  return needs.find(([program, argument]) => spawnSync(program, [argument]).status !== 0)?.[0]
}

let folder: string
let graph: Graph
/** Answers by the edition of September 2026 of GraphQL over HTTP. */
let edition: Graph
beforeAll(async () => {
  if (!isFull) {
    console.info('The clients of examples/clients are not compiled; CI=true or TESSERA_TEST_FULL=true does.')
    return
  }
  graph = await startGraph()
  edition = await startGraph({ env: { TESSERA_HTTP_PROFILE: '2026' } })
  // What is generated and compiled is left in the copy.
  folder = temporaryFolder()
  await cp(join(root, 'schema'), join(folder, 'schema'), { recursive: true })
  await cp(join(root, 'examples/clients'), join(folder, 'examples/clients'), { recursive: true })
})
afterAll(async () => {
  await graph?.[Symbol.asyncDispose]()
  await edition?.[Symbol.asyncDispose]()
})

/**
 * What was compiled of other people's packages is kept for the next run; the clients themselves are generated and
 * compiled each time. Machines of Java run once here: what makes them quick later costs more than it gives.
 */
const kept = join(process.env.TESSERA_TEST_TOOLS ?? join(homedir(), '.cache/tessera-tools'), 'clients')
const settings = {
  CARGO_TARGET_DIR: join(kept, 'rust'),
  CARGO_INCREMENTAL: '0',
  CARGO_PROFILE_DEV_DEBUG: '0',
  PIP_CACHE_DIR: join(kept, 'pip'),
  PIP_NO_COMPILE: '1',
  MAVEN_OPTS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
}

/** The lines that the commands print, one after the other; fails with their errors. */
async function run(name: string, commands: readonly string[], { url }: Graph): Promise<readonly string[]> {
  const child = spawn('sh', ['-e', '-c', commands.join('\n')], {
    cwd: join(folder, 'examples/clients', name),
    env: { ...process.env, ...settings, GRAPH: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let faults = ''
  child.stdout.on('data', (text) => {
    out += text
  })
  child.stderr.on('data', (text) => {
    faults += text
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  expect(code, `${out}${faults}`).toBe(0)
  // Maven resets colours even if it uses none.
  return stripVTControlCharacters(out)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The chart of the sandbox, two by two. */
const expected = [
  'page 1: gpjq6LtmV2f 18446744073709551615',
  'page 1: u62wyH56M7e 140000420',
  'page 2: O4V7hEHXyec 139000418',
  'page 2: YU70nUoe85v 138000416',
  'refused: metrics.query UNAUTHORIZED_FIELD_OR_TYPE',
  'kept: YU70nUoe85v',
]

describe.skipIf(!isFull)('read two pages and a refused field, by both editions of GraphQL over HTTP', () => {
  // A slow machine that compiles all packages of a client for the first time takes longer than a test usually may.
  test.each(clients)('$folder: $commands', { timeout: 3_600_000 }, async (client) => {
    const missing = lacking(client)
    // A machine that checks everything has all of them: `.ci/system` installs what is missing.
    expect(missing, `${missing} is not on the PATH`).toBeUndefined()
    const { folder: name, commands, again = commands.at(-1) ?? '' } = client
    expect(await run(name, commands, graph)).toEqual(expected)
    expect(await run(name, [again], edition)).toEqual(expected)
  })
})
