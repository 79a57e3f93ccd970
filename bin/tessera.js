#!/usr/bin/env node
// The command line. It says which Node is needed before it loads anything that an older one cannot read. A checkout
// runs a bundle of its TypeScript, or the TypeScript itself if that has changed since; the package holds the bundle alone.
//
// Node keeps what it compiles in the user's cache folder, so that the next start takes half of the CPU time. Not in the
// folder for temporary files, which is Node's choice: what others can write there would be executed. A folder that the
// environment names is used instead (NODE_COMPILE_CACHE), and NODE_DISABLE_COMPILE_CACHE=1 keeps nothing.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [major, minor] = engines.node.match(/\d+/g).map(Number)
const [thisMajor, thisMinor] = process.versions.node.split('.').map(Number)

if (thisMajor < major || (thisMajor === major && thisMinor < minor)) {
  console.error(
    `tessera: Node ${major}.${minor} or newer is needed, and this is ${process.versions.node}.\n` +
      'Get one from https://nodejs.org/en/download, or with a version manager: `nvm install 24`.',
  )
  process.exit(1)
}

function homeFolder() {
  try {
    return homedir()
  } catch {
    // A user whom the system does not know has none.
    return ''
  }
}

// A relative path would be one of the folder in which the command is run.
const { XDG_CACHE_HOME = '' } = process.env
const caches = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homeFolder(), '.cache')
const { enableCompileCache } = await import('node:module')
// If the folder cannot be made or written, Node goes on without it.
if (isAbsolute(caches)) enableCompileCache(join(caches, 'tessera'))

/**
 * The bundle of a checkout (`bundle.ts`) if everything is as it was when it was made; a package has no sources. What is
 * edited, and what `git pull` brings, runs from its sources.
 */
function entry() {
  const at = (path) => join(import.meta.dirname, '..', path)
  const bundle = at('dist/bundle/main.mjs')
  if (!existsSync(at('gateway/main.ts'))) return bundle
  try {
    const inputs = JSON.parse(readFileSync(at('dist/bundle/inputs.json'), 'utf8'))
    const isAsItWas = Object.entries(inputs).every(([path, [time, size]]) => {
      const stats = statSync(at(path))
      return stats.mtimeMs === time && stats.size === size
    })
    if (isAsItWas) return bundle
  } catch {
    // There is no bundle, or a file of it is gone.
  }
  return at('gateway/main.ts')
}

await import(pathToFileURL(entry()).href)
