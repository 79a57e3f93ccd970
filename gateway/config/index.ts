/**
 * The configuration: a YAML file of sections, and environment variables whose names follow from the paths in it; the
 * environment wins. Each section is declared by the module that reads it (`config.ts` there). All of it is checked at
 * start.
 *
 * `readConfig` returns a frozen value or every fault at once, each with the place at which the value was given and what
 * was expected. A value is never repeated in a fault: it might be a secret. Only main.ts reads the environment.
 */
export type { Config, ConfigResult } from './config.ts'
export { isAllSandbox, isNothingReal } from './config.ts'
export { configJsonSchema } from './json-schema.ts'
export { readConfig } from './read.ts'
export { sections } from './sections.ts'
export { ownSettingsOf } from './services.ts'
export { settings } from './settings.ts'
export { withoutRestart } from './without-restart.ts'
