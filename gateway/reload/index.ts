/**
 * Reloading without a lost request: generations of the graph, what makes and warms them, and where configuration and
 * supergraph are read from and watched.
 */
export { createGeneration, type Generation } from './generation.ts'
export { createReloader, type GenerationState, type Reloader, type ReloadResult } from './reloader.ts'
export { createReloadSource, type Reading, type ReadingResult, type ReloadSource } from './source.ts'
export { warmManifest } from './warm.ts'
