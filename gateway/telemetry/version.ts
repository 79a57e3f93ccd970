/** The version of the package that this runs from, be it a checkout or what was built of one. */
import { readFileSync } from 'node:fs'

function readVersion(): string {
  // A built file lies one folder deeper, below dist/.
  for (const above of ['../../package.json', '../../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(above, import.meta.url), 'utf8'))
      const { name, version } = manifest as { readonly name?: unknown; readonly version?: unknown }
      if (name === 'tessera-graph' && typeof version === 'string') return version
    } catch {
      // Not there.
    }
  }
  return 'unknown'
}

export const version: string = readVersion()
