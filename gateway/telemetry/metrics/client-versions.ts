/** Which versions of each client have a series of their own: those that came first, as many as there may be. */
import type { Client } from '../clients.ts'
import { other } from './operation-names.ts'

export interface Versions {
  /** The label for the version of this client: itself, `unknown`, or `other`. */
  labelOf(client: Client): string
  /** The client has no series of its own any more. */
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
