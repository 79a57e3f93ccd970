/**
 * A Vite plugin that replaces the `graphql` tags with the compiler's artefacts. It uses Relay's own Babel plugin.
 * It leaves types and JSX to Vite.
 */
import { transformAsync } from '@babel/core'
import type { Plugin } from 'vite'

export function relay(): Plugin {
  return {
    name: 'relay',
    enforce: 'pre',
    async transform(code, id) {
      if (!/\/src\/[^?]*\.tsx?$/.test(id) || !code.includes('graphql`')) return null
      const made = await transformAsync(code, {
        filename: id,
        babelrc: false,
        configFile: false,
        sourceMaps: true,
        parserOpts: { plugins: ['typescript', 'jsx'] },
        plugins: [
          ['relay', { eagerEsModules: true, artifactDirectory: `${import.meta.dirname}/src/__generated__` }],
        ],
      })
      return made?.code ? { code: made.code, map: made.map ?? null } : null
    },
  }
}
