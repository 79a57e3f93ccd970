#!/usr/bin/env node
// The command line. It says which Node is needed before it loads anything that an older one cannot read. A checkout
// runs its TypeScript, whatever was built from it before; the package holds only what was built.
import { existsSync, readFileSync } from 'node:fs'

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

const source = new URL('../gateway/main.ts', import.meta.url)
await import(existsSync(source) ? source.href : new URL('../dist/gateway/main.js', import.meta.url).href)
