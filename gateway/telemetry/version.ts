/** The version of the package that runs, from a checkout or a package. */
import { readFileSync } from 'node:fs'

function readVersion(): string {
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    const { name, version } = JSON.parse(text) as { readonly name?: unknown; readonly version?: unknown }
    if (name === 'tessera-graph' && typeof version === 'string') return version
  } catch {
    // A program that bundles the package may leave it out.
  }
  return 'unknown'
}

export const version: string = readVersion()
