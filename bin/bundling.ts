/**
 * How TypeScript and the packages that it needs become a few files. Modules find files beside them by their address, so
 * each keeps the address of its source file, seen from the folder of the bundle: a checkout may be moved, and in a package
 * `schema/` and the explorer's page lie as they do in a checkout.
 */
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InlineConfig, Plugin } from 'vite'

export const root = fileURLToPath(new URL('..', import.meta.url))

export interface Bundling {
  /** The folder in which it will be run. */
  readonly place: string
  /** The folder into which it is written. */
  readonly made: string
  /** Source files below the root by the name of the file that they become. */
  readonly entries: Readonly<Record<string, string>>
  /** Packages that stay outside: whoever runs it installs them. */
  readonly external: readonly string[]
  readonly plugins?: readonly Plugin[]
}

/**
 * The authorization server of the sandbox, which is a thousand kilobytes, is no part of a bundle: whoever wants it
 * installs it beside Tessera, as the message of `sandbox/oauth/start.ts` says.
 */
export const neverBundled = ['oidc-provider']

export function configOf({ place, made, entries, external, plugins = [] }: Bundling): InlineConfig {
  const outside = [...neverBundled, ...external]
  const isWhole = !external.includes('graphql')
  return {
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [
      ownAddresses(place),
      unsetAsData,
      usedOfUndici,
      usedOfApolloSubgraph,
      onlyAscii,
      ...(isWhole ? [validSdl, parsedSchemas(place)] : []),
      ...plugins,
    ],
    // A module of it by its own address has to be the one that the rest of it imports.
    ...(isWhole ? { resolve: { alias: [graphqlModules] } } : {}),
    ssr: { noExternal: true, external: outside },
    build: {
      ssr: true,
      ssrEmitAssets: true,
      outDir: made,
      target: 'node22',
      minify: false,
      license: { fileName: 'THIRD-PARTY.md' },
      rolldownOptions: {
        input: { ...entries },
        // What other entries need of one would become exports of the package.
        ...(isWhole ? {} : { preserveEntrySignatures: 'strict' as const }),
        external: (id) => outside.some((name) => id === name || id.startsWith(`${name}/`)),
        output: {
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
          // Otherwise a function that two parts need is a file of its own, and each file takes time to be found.
          ...(isWhole
            ? {
                codeSplitting: { groups: [{ name: 'shared', test: /\/shared\/(?:graphql|json|runtime)\// }] },
              }
            : {}),
          // Their licences are in THIRD-PARTY.md.
          comments: false,
          // The command line starts with less memory. Names and lines stay, because stack traces have them.
          minify: isWhole && {
            mangle: { keepNames: true },
            compress: { keepNames: { function: true, class: true } },
            codegen: { removeWhitespace: false },
          },
        },
      },
    },
  }
}

const graphqlModules = { find: /^graphql\/(.+)\.js$/, replacement: 'graphql/$1.mjs' }

/**
 * The command line makes subgraphs of the files in `schema/` alone, which tests validate as they are made from the
 * sources. `buildSubgraphSchema` takes no option that says so, and would validate them at each start.
 */
const validSdl: Plugin = {
  name: 'tessera-valid-sdl',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === 'graphql' && importer?.endsWith('/@apollo/subgraph/dist/buildSubgraphSchema.js') === true
      ? '\0tessera-valid-sdl'
      : undefined,
  load: (id) =>
    id === '\0tessera-valid-sdl'
      ? `export * from 'graphql'
import { buildASTSchema as build } from 'graphql'
export const buildASTSchema = (document) => build(document, { assumeValid: true, assumeValidSDL: true })
export const validateSchema = () => []`
      : undefined,
}

/** The files in `schema/` that a gateway reads, parsed, because reading JSON takes less time than parsing SDL. */
const parsedSchemas = (place: string): Plugin => ({
  name: 'tessera-parsed-schemas',
  enforce: 'pre',
  async load(id) {
    if (id !== join(root, 'subgraphs/kit/schema-documents.ts')) return undefined
    const { subgraphNames } = await import('../subgraphs/index.ts')
    const { parseSchemaFile } = await import('../subgraphs/kit/subgraph.ts')
    const names = ['supergraph', ...subgraphNames]
    for (const name of names) {
      this.emitFile({
        type: 'asset',
        fileName: `${name}.json`,
        source: JSON.stringify(parseSchemaFile(name)),
      })
    }
    return `import { readFileSync } from 'node:fs'
export const documentOf = (name) =>
  JSON.parse(readFileSync(new URL(\`${relative(dirname(id), place)}/\${name}.json\`, import.meta.url), 'utf8'))`
  },
})

/** The configuration if nothing is set, which does not change after the bundle was made. */
const unsetAsData: Plugin = {
  name: 'tessera-defaults',
  enforce: 'pre',
  async load(id) {
    if (id !== join(root, 'gateway/config/defaults.ts')) return undefined
    const { defaults } = await import('../gateway/config/defaults.ts')
    return `export const defaults = JSON.parse(${JSON.stringify(JSON.stringify(defaults))})`
  },
}

/**
 * Only the connections of undici are used (`shared/http/`). Its index would load what else it has: `fetch`, WebSockets,
 * caches, mocks. HTTP/2 is loaded with the first connection that speaks it.
 */
const usedOfUndici: Plugin = {
  name: 'tessera-undici',
  enforce: 'pre',
  resolveId(id, importer) {
    if (id === 'undici') return '\0tessera-undici'
    const isHttp2 = id === './client-h2.js' && importer?.endsWith('/undici/lib/dispatcher/client.js') === true
    return isHttp2 ? '\0tessera-http2.cjs' : undefined
  },
  load(id) {
    if (id === '\0tessera-http2.cjs')
      return `module.exports = (...given) => require('undici/lib/dispatcher/client-h2.js')(...given)`
    if (id !== '\0tessera-undici') return undefined
    return `export { default as Client } from 'undici/lib/dispatcher/client.js'
export { default as Pool } from 'undici/lib/dispatcher/pool.js'
export { default as errors } from 'undici/lib/core/errors.js'`
  },
}

/** Only its builder of schemas is used. What it has for printing them would bring `@graphql-tools/utils`. */
const usedOfApolloSubgraph: Plugin = {
  name: 'tessera-apollo-subgraph',
  enforce: 'pre',
  resolveId: (id) => (id === '@apollo/subgraph' ? '\0tessera-apollo-subgraph' : undefined),
  load: (id) =>
    id === '\0tessera-apollo-subgraph'
      ? `export { buildSubgraphSchema } from '@apollo/subgraph/dist/buildSubgraphSchema.js'`
      : undefined,
}

/**
 * Node reads a text of ASCII alone faster. Characters beyond it occur in literals, because comments are left out. What
 * `renderChunk` returns would be printed again without the escapes.
 */
const onlyAscii: Plugin = {
  name: 'tessera-ascii',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = chunk.code.replaceAll(/[\u0080-\uffff]/g, escaped)
  },
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

const ownRequire = /^(?:const|let|var) require = createRequire\(import\.meta\.url\);?$/m

const ownAddresses = (place: string): Plugin => ({
  name: 'tessera-own-addresses',
  transform: {
    filter: { id: /^[^\0]+\.[cm]?[jt]s$/, code: 'import.meta.url' },
    handler: (code, id) =>
      code
        // What a module requires when it is first used becomes part of the bundle, too.
        .replace(ownRequire, '')
        .replaceAll(
          'import.meta.url',
          `new URL(${JSON.stringify(relative(place, id))}, import.meta.url).href`,
        ),
  },
})
