/** Whether `tessera serve` would start: everything is done that it does until it listens, by the same functions. */
import { messageOf } from '../../../shared/runtime/thrown.ts'
import { checkGateway } from '../../app.ts'
import type { Config } from '../../config/index.ts'
import { createReloadSource } from '../../reload/index.ts'
import { createLogger } from '../../telemetry/log.ts'
import { workersOf } from '../serve-workers.ts'
import { startServed } from '../served.ts'
import { sharedFeaturesOf } from '../shared-features.ts'
import { type Finding, timed } from './finding.ts'

/** `env`: what the configuration was read from. */
export async function checkStart(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding> {
  const [said, milliseconds] = await timed(() => refusalOf(config, env))
  return {
    subject: 'start',
    place: 'configuration',
    milliseconds,
    tried: 'prepared everything as tessera serve does',
    said,
    cure:
      said === undefined
        ? undefined
        : 'correct this: tessera serve would refuse to start with the same words',
  }
}

/** What serve would say instead of starting. */
async function refusalOf(config: Config, env: Parameters<typeof checkStart>[1]): Promise<string | undefined> {
  const { refused } = sharedFeaturesOf(config)
  if (workersOf(config) > 1 && refused.length > 0) return refused.join('; ')
  const source = createReloadSource({ env })
  try {
    const read = await source.read()
    if ('faults' in read) return read.faults.join('; ')
    const { options, services } = await startServed(read)
    try {
      await checkGateway({ ...options, log: createLogger({ level: 'silent' }) })
      return undefined
    } finally {
      await services?.close()
    }
  } catch (error) {
    return messageOf(error).split('\n', 1)[0]?.slice(0, 500)
  } finally {
    await source.close()
  }
}
