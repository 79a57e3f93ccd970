/** Finds the GraphQL documents of a folder: those of operations for agents, and of manifests. */
import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The `.graphql` and `.gql` files below a folder, by their paths in it, sorted. Names that begin with a dot are passed
 * over: a volume of Kubernetes has each file a second time in a hidden folder. A folder is read once, because links may
 * lead back to it. Throws if the folder cannot be read.
 */
export function documentFilesIn(folder: string): readonly string[] {
  const seen = new Set<string>()
  const below = (path: string): readonly string[] => {
    const real = realpathSync(join(folder, path))
    if (seen.has(real)) return []
    seen.add(real)
    return readdirSync(real)
      .filter((name) => !name.startsWith('.'))
      .flatMap((name) => {
        const inner = join(path, name)
        if (statSync(join(real, name), { throwIfNoEntry: false })?.isDirectory()) return below(inner)
        return /\.(graphql|gql)$/.test(name) ? [inner] : []
      })
  }
  return below('').toSorted()
}
