/** The versions of each client that have a series of their own: the first ones, up to a limit. */
import type { Client } from '../clients.ts'
import { other } from './operation-names.ts'

export interface Versions {
  /** The label for the version of this client: itself, `unknown`, or `other`. */
  labelOf(client: Client): string
  /** The client no longer has a series of its own. */
  forget(name: string): void
}

export function createVersions(most: number): Versions {
  const known = new Map<string, Set<string>>()
  return {
    labelOf({ name, version = 'unknown' }) {
      let versions = known.get(name)
      if (versions === undefined) {
        versions = new Set()
        known.set(name, versions)
      }
      if (versions.has(version)) return version
      if (versions.size >= most) return other
      versions.add(version)
      return version
    },
    forget: (name) => void known.delete(name),
  }
}
