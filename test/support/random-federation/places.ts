/** Places of an answer that differ from the whole one, and which fields such a difference can spread to. */
import { type DocumentNode, visit } from 'graphql'
import type { Services } from './services.ts'

export type Path = readonly (string | number)[]

/** The response keys of fields that require others somewhere. */
export function keysOfRequiring(services: Services, document: DocumentNode): ReadonlySet<string> {
  const sdl = Object.values(services).join('\n')
  const keys = new Set<string>()
  visit(document, {
    Field({ name, alias }) {
      if (new RegExp(`\\b${name.value}\\b[^\\n]*@requires`).test(sdl)) keys.add((alias ?? name).value)
    },
  })
  return keys
}

/** The places at which a value is null and the whole one is not. */
export function missingPlaces(value: unknown, whole: unknown, path: Path): Path[] {
  if (value === null) return whole === null ? [] : [path]
  if (typeof value !== 'object') return []
  return Object.entries(value as object).flatMap(([key, each]) =>
    missingPlaces(each, (whole as Record<string, unknown>)[key], [...path, key]),
  )
}

export function isAbove(path: Path, place: Path): boolean {
  return path.every((step, i) => String(step) === String(place[i]))
}
