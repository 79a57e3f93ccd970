#!/usr/bin/env node
// The command line. It says which Node is needed before it loads anything that an older one cannot read. A checkout
// runs a bundle of its TypeScript, or the TypeScript itself if that has changed since; the package holds the bundle alone.
//
// Node keeps what it compiles in the user's cache folder, so that the next start takes half of the CPU time. Not in the
// folder for temporary files, which is Node's choice: what others can write there would be executed. A folder that the
// environment names is used instead (NODE_COMPILE_CACHE), and NODE_DISABLE_COMPILE_CACHE=1 keeps nothing.
import { existsSync, readFileSync } from 'node:fs'
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

/** A package has no sources. A checkout runs them if its bundle is not of them. */
async function entry() {
  const root = join(import.meta.dirname, '..')
  const sources = join(root, 'gateway/main.ts')
  if (!existsSync(sources)) return join(root, 'dist/bundle/main.mjs')
  const { preparedBundle } = await import('./prepared.js')
  return preparedBundle(root) ?? sources
}

await import(pathToFileURL(await entry()).href)
