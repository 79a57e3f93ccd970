/**
 * Reloading without losing a request: generations of the graph, how they are made and warmed, and the sources of
 * configuration and supergraph, which are read and watched.
 */
export { createGeneration, type Generation, type GenerationOptions } from './generation.ts'
export { Reloader, type ReloadResult } from './reloader.ts'
export { createReloadSource, type Reading, type ReloadSource, readNamedBy } from './source.ts'
export { warmManifest } from './warm.ts'
export { createFileWatch } from './watch-files.ts'
