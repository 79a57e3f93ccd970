/**
 * The configuration: a YAML file of sections, and environment variables whose names follow from the paths in it; the
 * environment wins. Each section is declared by the module that reads it (`config.ts` there). A value is never repeated
 * in a fault: it might be a secret.
 */
export type { Config, ConfigResult } from './config.ts'
export { isAllSandbox, isNothingReal } from './config.ts'
export { configJsonSchema } from './json-schema.ts'
export { readConfig } from './read.ts'
export { sections } from './sections.ts'
export { ownSettingsOf } from './services.ts'
export { settings } from './settings.ts'
export { withoutRestart } from './without-restart.ts'
