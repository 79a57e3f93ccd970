// The bundle that `npm ci` makes of a checkout (`bundle.ts`): for the command line, and for tests that start it.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The entry of the bundle if everything is as it was when it was made, undefined otherwise: what is edited, and what
 * `git pull` brings, runs from its sources.
 *
 * @param {string} root the folder of the checkout
 * @returns {string | undefined}
 */
export function preparedBundle(root) {
  const folder = join(root, 'dist/bundle')
  try {
    const inputs = JSON.parse(readFileSync(join(folder, 'inputs.json'), 'utf8'))
    const isAsItWas = Object.entries(inputs).every(([path, [time, size]]) => {
      const stats = statSync(join(root, path))
      return stats.mtimeMs === time && stats.size === size
    })
    return isAsItWas ? join(folder, 'main.mjs') : undefined
  } catch {
    // There is no bundle, or a file of it is gone.
    return undefined
  }
}
