/** The hooks of a gateway: those of the program around it, of a file, and of a coprocessor, in this order. */

import { percentOf } from '../../engine/operation/labels.ts'
import type { GatewayOptions } from '../options.ts'
import { Coprocessor, type HookSource, loadHooks, Stages } from './index.ts'
import type { RunOptions } from './run.ts'

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
  parts: RunOptions & { readonly labels: readonly string[] },
): Stages | undefined {
  const { coprocessor } = config
  const { file, timeoutMs } = config.hooks
  if (file !== undefined && fileHooks === undefined)
    throw new Error('TESSERA_HOOKS: load the file by `await loadHooks(file)` and give it as `fileHooks`')
  const sources: HookSource[] = [
    ...(hooks === undefined ? [] : [{ name: 'option', hooks, timeoutMs }]),
    ...(fileHooks === undefined ? [] : [{ name: 'file', hooks: fileHooks, timeoutMs }]),
    ...(coprocessor === undefined ? [] : [new Coprocessor(coprocessor)]),
  ]
  if (sources.length === 0) return undefined
  const labels = parts.labels.filter((label) => percentOf(label) === undefined)
  return new Stages({ ...parts, sources, labels })
}
