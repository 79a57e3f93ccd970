/**
 * `tessera-graph`: a gateway that listens. The assembled graph stands behind the HTTP server, with the explorer and
 * uploads beside it.
 *
 * @example
 * ```ts
 * import { readConfig, startGateway } from 'tessera-graph'
 *
 * const { config, faults } = readConfig({ PORT: '4000', TESSERA_METRICS_URL: 'http://127.0.0.1:9090' })
 * if (faults !== undefined) throw new Error(faults.join('\n'))
 * const gateway = await startGateway({ config })
 * console.log(gateway.url)
 * await gateway.stop()
 * ```
 */

export { type Gateway, startGateway } from './app.ts'
export { type Config, type ConfigResult, readConfig } from './config/index.ts'
export { defineHooks, type Hooks, loadHooks, refuse } from './hooks/index.ts'
export type { GatewayOptions, ReloadableOptions } from './options.ts'
export { createReloadSource, type ReloadResult, type ReloadSource } from './reload/index.ts'
export { createLogger, type Logger } from './telemetry/log.ts'
