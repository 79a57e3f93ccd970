/**
 * Adds a fifth service to a copy of the repository, by the steps of "Adding a service" in docs/architecture.md, and
 * generates what is generated. The service is in this folder, at the paths where it stands in the copy: it imports its
 * neighbours there, so that it is type-checked in the copy and not here. Needs the package @graphql-codegen/cli.
 */
import { execFile } from 'node:child_process'
import { cpSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../deploy.ts'
import { copyOfTree } from '../tree-copy.ts'

const execute = promisify(execFile)

/** The lines that are added by hand, each below or before a text that stands once in its file. */
const lines: readonly (readonly [file: string, text: string, replacement: string])[] = [
  [
    'subgraphs/index.ts',
    "import { agents } from './agents/index.ts'\n",
    "import { agents } from './agents/index.ts'\nimport { books } from './books/index.ts'\n",
  ],
  ['subgraphs/index.ts', 'messages, metrics] as const', 'messages, metrics, books] as const'],
  [
    'codegen.ts',
    '  nodes: Object',
    "  books: { Book: './model.ts#BookModel', BookConnection: './model.ts#BookConnectionModel' },\n  nodes: Object",
  ],
  [
    'sandbox/server/start.ts',
    "import { AgentsStandIn } from '../agents/index.ts'\n",
    "import { AgentsStandIn } from '../agents/index.ts'\nimport { createBooksStandIn } from '../books/index.ts'\n",
  ],
  [
    'sandbox/server/start.ts',
    '    createMetricsStandIn({ ...shared, ...options.metrics }),\n',
    '    createMetricsStandIn({ ...shared, ...options.metrics }),\n    createBooksStandIn(),\n',
  ],
]

export interface Copy {
  readonly folder: string
  /** The text of a file of the copy. */
  read(path: string): string
  /** Runs a program of the repository in the copy; rejects with what it wrote if it fails. */
  run(program: string, ...args: readonly string[]): Promise<string>
  remove(): void
}

export async function addFifthService(): Promise<Copy> {
  const folder = realpathSync(copyOfTree())
  for (const part of ['schema', 'subgraphs', 'sandbox']) {
    cpSync(join(root, 'test/support/fifth-service', part), join(folder, part), { recursive: true })
  }
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  for (const [file, text, replacement] of lines) {
    const parts = read(file).split(text)
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times ${JSON.stringify(text)}`)
    writeFileSync(join(folder, file), parts.join(replacement))
  }
  const run = async (program: string, ...args: readonly string[]): Promise<string> => {
    const { stdout } = await execute(join(root, 'node_modules/.bin', program), args, {
      cwd: folder,
      // What one command compiles of the copy, the next one finds, until the run ends.
      env: { ...process.env, FORCE_COLOR: '0', NODE_COMPILE_CACHE: join(tmpdir(), 'compiled') },
    }).catch((error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${program} ${args.join(' ')}: ${error.stdout ?? ''}${error.stderr ?? error.message}`)
    })
    return stdout
  }
  // The parts of `npm run generate` that a service is part of.
  await run('node', 'gateway/main.ts', 'compose', '--write')
  await run('node', 'docs/configuration.ts')
  await run('graphql-codegen', '--config', 'codegen.ts')
  return { folder, read, run, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
