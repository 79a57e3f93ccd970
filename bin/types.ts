/**
 * Makes the types of the package stand by themselves, after `tsc` has written them: types of bundled packages that they
 * name are copied into `dist/types` and named there, so that nobody has to install those packages. Types that no export
 * of the package leads to are removed.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { root } from './bundling.ts'

interface Manifest {
  readonly name: string
  readonly type?: string
  readonly types?: string
  readonly typings?: string
  readonly main?: string
  readonly exports?: unknown
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const dist = join(root, 'dist')
const copies = join(dist, 'types')
const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
const own = readManifest(root)
const peers = Object.keys(own.peerDependencies ?? {})

const specifiers = /(\bfrom\s*|\bimport\(|^import\s+|\brequire\()(['"])([^'"\n]+)\2/gm
const comments = /\/\*[\s\S]*?\*\//g

const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier

/** The folder of a package, as Node finds it from a file. */
function folderOf(name: string, from: string): string | undefined {
  for (let at = dirname(from); ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name)
    if (existsSync(join(folder, 'package.json'))) return folder
    if (at === dirname(at)) return undefined
  }
}

/** The conditions of exports under which types are looked up. */
const readers = ['types', 'import', 'node', 'default']

/** The target of an export for those who read types. */
function typesIn(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  if (typeof target !== 'object' || target === null) return undefined
  const conditions = Object.entries(target).filter(([name]) => readers.includes(name))
  return conditions.map(([, next]) => typesIn(next)).find((found) => found !== undefined)
}

/** The file with the types of a file, however that is named. */
function typesFile(path: string): string | undefined {
  const bare = path.replace(/\.([cm]?)[jt]s$/, '.d.$1ts')
  return [path, bare, `${path}.d.ts`, `${path}.d.mts`, join(path, 'index.d.ts')].find(
    (each) => /\.d\.[cm]?ts$/.test(each) && existsSync(each),
  )
}

function typesOfPackage(specifier: string, from: string): string | undefined {
  const name = packageOf(specifier)
  for (const each of [name, `@types/${name.replace(/^@([^/]+)\//, '$1__')}`]) {
    const folder = folderOf(each, from)
    if (folder === undefined) continue
    const manifest = readManifest(folder)
    const path = `.${specifier.slice(name.length)}`
    const { exports } = manifest
    const isMap = typeof exports === 'object' && exports !== null && Object.hasOwn(exports, '.')
    const exported = typesIn(isMap ? (exports as Record<string, unknown>)[path] : exports)
    const whole = exported ?? (path === '.' ? (manifest.types ?? manifest.typings ?? manifest.main) : path)
    const found = whole === undefined ? undefined : typesFile(join(folder, whole))
    if (found !== undefined) return found
  }
  return undefined
}

/** The folder of the package to which a file belongs. */
function packageFolder(file: string): string {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? root
}

/** The place to which a file of a package is copied. One version of each: a second one would need a name of its own. */
function copyOf(file: string): string {
  const folder = packageFolder(file)
  return join(copies, relative(join(folder, /node_modules\/@/.test(folder) ? '../..' : '..'), file))
}

/** How the modules of a package are read, and its licence. */
function placePackage(folder: string): void {
  const copied = copyOf(join(folder, 'package.json'))
  if (existsSync(copied)) return
  writeFileSync(copied, JSON.stringify({ type: readManifest(folder).type ?? 'commonjs' }))
  for (const name of readdirSync(folder))
    if (/^licen[cs]e/i.test(name)) cpSync(join(folder, name), join(dirname(copied), name))
}

/** The path of a copied type, by the file that was read. */
const placed = new Map<string, string>()

function place(file: string): string {
  const known = placed.get(file)
  if (known !== undefined) return known
  const isOwn = !file.includes('/node_modules/')
  const to = isOwn ? file : copyOf(file)
  placed.set(file, to)
  const text = readFileSync(file, 'utf8').replace(comments, (comment) =>
    // TypeScript obeys some of them: types of zod contradict each other without.
    isOwn || comment.includes('@ts-') ? comment : '',
  )
  const written = text.replace(specifiers, (all, before: string, quote: string, specifier: string) => {
    if (specifier.startsWith('.')) {
      const found = typesFile(resolve(dirname(file), specifier))
      if (found !== undefined) place(found)
      return all
    }
    if (isBuiltin(specifier) || peers.includes(packageOf(specifier))) return all
    const found = typesOfPackage(specifier, file)
    if (found === undefined) return all
    const path = relative(dirname(to), place(found)).replace(/\.d\.([cm]?)ts$/, '.$1js')
    return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`
  })
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, written)
  if (!isOwn) placePackage(packageFolder(file))
  return to
}

rmSync(copies, { recursive: true, force: true })
for (const entry of Object.values(own.exports ?? {}) as (string | { readonly types: string })[])
  if (typeof entry !== 'string') place(join(root, entry.types))
const kept = new Set(placed.values())
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  const file = join(dist, name)
  if (/\.d\.[cm]?ts$/.test(name) && !kept.has(file)) rmSync(file)
}
