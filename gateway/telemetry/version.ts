/** The version of the package that runs, from a checkout or a build. */
import { readFileSync } from 'node:fs'

function readVersion(): string {
  // A built file is one folder deeper, below dist/.
  for (const above of ['../../package.json', '../../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(above, import.meta.url), 'utf8'))
      const { name, version } = manifest as { readonly name?: unknown; readonly version?: unknown }
      if (name === 'tessera-graph' && typeof version === 'string') return version
    } catch {
      // The version is not in this folder.
    }
  }
  return 'unknown'
}

export const version: string = readVersion()
