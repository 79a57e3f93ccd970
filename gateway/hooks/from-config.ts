/** The hooks of a gateway: those of the program around it, of a file, and of a coprocessor, in this order. */

import { percentOf } from '../../engine/operation/labels.ts'
import type { Config } from '../config/index.ts'
import type { GatewayOptions } from '../options.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { Traces } from '../telemetry/traces/index.ts'
import { Coprocessor, type HookSource, loadHooks, Stages } from './index.ts'

/** The options with the hooks of the file that the configuration names; throws if they cannot be loaded. */
export async function withFileHooks<Options extends GatewayOptions>(options: Options): Promise<Options> {
  const { file } = options.config.hooks
  return file === undefined || options.fileHooks !== undefined
    ? options
    : { ...options, fileHooks: await loadHooks(file) }
}

/** Undefined if there are none. */
export function stagesFrom(
  { config, hooks, fileHooks }: Pick<GatewayOptions, 'config' | 'hooks' | 'fileHooks'>,
  parts: {
    readonly labels: readonly string[]
    readonly metrics: Metrics
    readonly traces: Traces | undefined
    readonly log: Logger
  },
): Stages | undefined {
  const sources = sourcesOf(config, hooks, fileHooks)
  if (sources.length === 0) return undefined
  const labels = parts.labels.filter((label) => percentOf(label) === undefined)
  return new Stages({ ...parts, sources, labels })
}

function sourcesOf(
  { hooks: { file, timeoutMs }, coprocessor }: Config,
  hooks: GatewayOptions['hooks'],
  fileHooks: GatewayOptions['fileHooks'],
): HookSource[] {
  if (file !== undefined && fileHooks === undefined)
    throw new Error('TESSERA_HOOKS: load the file by `await loadHooks(file)` and give it as `fileHooks`')
  return [
    ...(hooks === undefined ? [] : [{ name: 'option', hooks, timeoutMs }]),
    ...(fileHooks === undefined ? [] : [{ name: 'file', hooks: fileHooks, timeoutMs }]),
    ...(coprocessor === undefined ? [] : [new Coprocessor(coprocessor)]),
  ]
}
