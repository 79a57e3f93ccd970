#!/usr/bin/env node
// The command line: the built JavaScript where there is some, else the TypeScript of a checkout, which Node 24 runs itself.
import { existsSync } from 'node:fs'

const built = new URL('../dist/gateway/main.js', import.meta.url)
await import(existsSync(built) ? built.href : new URL('../gateway/main.ts', import.meta.url).href)
