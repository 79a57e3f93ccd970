/**
 * The configuration: environment variables, or the same keys in one YAML file, which also has sections for everything
 * that is not a scalar. All of it is checked at start.
 *
 * `readConfig` returns a frozen value or every fault at once, each with the variable's name and what was expected. A
 * value is never repeated in a fault: it might be a secret. Only main.ts reads the environment.
 */
export { isAllSandbox, isNothingReal } from './all-sandbox.ts'
export type { Config, ConfigResult, IssuerConfig, JwtConfig, ServiceConfig, Values } from './config.ts'
export { httpProfileOf } from './http-profile.ts'
export { configJsonSchema } from './json-schema.ts'
export { readConfig } from './read.ts'
export { noSections, type Sections } from './sections/index.ts'
export { variables } from './variables/index.ts'
export { reloadable, withoutRestart } from './without-restart.ts'
