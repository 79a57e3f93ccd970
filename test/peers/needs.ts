/**
 * What needs the packages of `test/peers/package.json`: other people's gateways, composers, clients, browsers' tools and
 * generators. A checkout is installed without them, `npm run setup:peers` brings them, and with `CI=true` nothing is
 * left out.
 *
 * A file needs those that it imports, and those that the files it imports need. One that runs a package as a command
 * says so in a comment: `Needs the package NAME.`
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const { devDependencies: peers } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
) as { readonly devDependencies: Readonly<Record<string, string>> }

export const missingPeers: readonly string[] = Object.keys(peers).filter(
  (name) => !existsSync(join(root, 'node_modules', name, 'package.json')),
)

/** Whether a test is to be left out for want of a package that it runs as a command. */
export function lacks(name: string): boolean {
  return process.env.CI !== 'true' && missingPeers.includes(name)
}

/** Whether an import counts that Node drops, because it names types alone. */
type Counted = 'at run time' | 'for types'

interface Read {
  /** Packages that are not there. */
  readonly missing: readonly string[]
  /** Paths of files. */
  readonly files: readonly string[]
}

const importsOf = /\b(import|export)\s+(type\s)?[^;'"()]*?from\s+'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g
const commands = /Needs the package (\S+)\./g

function read(path: string, counted: Counted): Read {
  const text = readFileSync(path, 'utf8')
  const specifiers = [...text.matchAll(importsOf)].flatMap(([, , type, named, other]) =>
    type !== undefined && counted === 'at run time' ? [] : [named ?? other ?? ''],
  )
  const names = [
    ...specifiers.filter((specifier) => !specifier.startsWith('.')).map(packageOf),
    ...[...text.matchAll(commands)].map(([, name = '']) => name),
  ]
  return {
    missing: missingPeers.filter((name) => names.includes(name)),
    files: specifiers
      .filter((specifier) => /^\..*\.tsx?$/.test(specifier))
      .map((specifier) => join(dirname(path), specifier)),
  }
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** The files below the folders that need a package that is not there, each with its first one; paths from the root. */
export function filesInNeed(
  folders: readonly string[],
  counted: Counted,
  isMeant: (path: string) => boolean,
): ReadonlyMap<string, string> {
  if (missingPeers.length === 0) return new Map()
  const reads = new Map<string, Read>()
  const readOnce = (path: string): Read => {
    let found = reads.get(path)
    if (found === undefined) {
      found = existsSync(path) ? read(path, counted) : { missing: [], files: [] }
      reads.set(path, found)
    }
    return found
  }
  const neededBy = (start: string): string | undefined => {
    const reached = new Set([start])
    for (const path of reached) {
      const { missing, files } = readOnce(path)
      if (missing[0] !== undefined) return missing[0]
      for (const file of files) reached.add(file)
    }
    return undefined
  }
  const found = new Map<string, string>()
  for (const path of folders.flatMap(filesBelow).filter(isMeant)) {
    const name = neededBy(path)
    if (name !== undefined) found.set(relative(root, path), name)
  }
  return found
}

/** The files of the tree, without installed packages. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path)
    return /\.tsx?$/.test(entry.name) ? [join(root, path)] : []
  })
}
