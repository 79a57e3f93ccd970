/**
 * Reads and writes files that the user names, with one sentence for each possible failure. That for a syntax error
 * begins with its place, `file:line:column: …`, which editors and terminals can open.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { GraphQLError } from 'graphql'
import { loadSupergraph, type Supergraph } from '../../engine/supergraph/index.ts'
import { parseSdl } from '../../shared/graphql/parse-sdl.ts'
import { fileFault, readBoundedSync } from '../../shared/runtime/bounded-file.ts'
import { messageOf, systemCodeOf } from '../../shared/runtime/thrown.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { type Arguments, CommandError, type Io, orFail } from './command.ts'

/** The most bytes of a schema or document, which is also the bound for the address of a supergraph. */
export const mostBytes: number = 64 * 1024 * 1024

/** Throws a CommandError if the file cannot be read. */
export const readText = (path: string): string =>
  orFail(
    () => readBoundedSync(path, mostBytes).toString('utf8'),
    (error) => `${path} cannot be read: ${fileFault(error)}`,
  )

/** The text of a GraphQL file. Throws a CommandError with line and column if it is not valid GraphQL. */
export function readGraphql(path: string): string {
  const text = readText(path)
  orFail(
    () => parseSdl(text, { noLocation: true }),
    (error) => syntaxFault(path, error),
  )
  return text
}

/** The supergraph of a file; our own if none is given. Throws a CommandError if it is unreadable or not a supergraph. */
export function supergraphIn(path: string | undefined): Supergraph {
  if (path === undefined) return loadSupergraph(readSchemaFile('supergraph'))
  const text = readGraphql(path)
  return orFail(
    () => loadSupergraph(text),
    (error) => syntaxFault(path, error),
  )
}

/** Writes a text to the file of `--out`, or to the terminal. Throws a CommandError if the file cannot be written. */
export function writeOut(text: string, args: Arguments, io: Io): void {
  const out = args.string('out')
  if (out === undefined) io.out(text)
  else writeText(out, text)
}

/** Throws a CommandError if the file cannot be written. It is then as it was. */
export const writeText = (path: string, text: string): void =>
  orFail(
    () => writeWhole(path, text),
    (error) => `${path} cannot be written: ${fileFault(error)}`,
  )

/** Replaces the old file by a complete one: a full disk leaves the old one, and a gateway never reads half of the new one. */
function writeWhole(path: string, text: string): void {
  const old = statSync(path, { throwIfNoEntry: false })
  if (old?.isFile() === false) {
    writeFileSync(path, text)
    return
  }
  if (old !== undefined) accessSync(path, constants.W_OK)
  const target = old === undefined ? path : realpathSync(path)
  const whole = `${target}.${process.pid}.new`
  try {
    writeFileSync(whole, text, { mode: old?.mode ?? 0o666 })
    renameSync(whole, target)
  } catch (error) {
    rmSync(whole, { force: true })
    // A folder may allow no other file, and a file that is mounted by itself cannot be replaced.
    if (old === undefined || !/^E(ACCES|BUSY|PERM|XDEV)$/.test(systemCodeOf(error) ?? '')) throw error
    writeFileSync(path, text)
  }
}

export function syntaxFault(file: string, error: unknown): string {
  return `${placeIn(file, error)}: ${messageOf(error)}`
}

/** `file:line:column`, or only the file if the error has no place. */
export function placeIn(file: string, error: unknown): string {
  const at = error instanceof GraphQLError ? error.locations?.[0] : undefined
  return at === undefined ? file : `${file}:${at.line}:${at.column}`
}

/** The files that a command makes for its user: the content of each by its path below the folder. */
export type Files = Readonly<Record<string, string>>

/** Writes all of them. Throws a CommandError, and writes none, if it would overwrite something. */
export function writeFiles(folder: string, files: Files): void {
  const taken = Object.keys(files).filter((path) => existsSync(join(folder, path)))
  if (taken.length > 0)
    throw new CommandError(`nothing is written: ${taken.join(', ')} in ${folder} would be overwritten`)
  for (const [path, text] of Object.entries(files)) {
    const parent = dirname(join(folder, path))
    orFail(
      () => mkdirSync(parent, { recursive: true }),
      (error) => `${parent} cannot be made: ${fileFault(error)}`,
    )
    writeText(join(folder, path), text)
  }
}
