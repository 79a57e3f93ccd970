/** Checks whether `tessera serve` would start: does everything that it does before it listens, by the same functions. */
import { checkGateway } from '../../app.ts'
import type { Config } from '../../config/index.ts'
import { createReloadSource } from '../../reload/index.ts'
import type { ReadFile } from '../../sources/index.ts'
import { createLogger } from '../../telemetry/log.ts'
import { firstLineOf, type Io } from '../command.ts'
import { workersOf } from '../serve-workers.ts'
import { startServed } from '../served.ts'
import { sharedFeaturesOf } from '../shared-features.ts'
import { type Finding, look } from './finding.ts'

/** `env` is the environment from which the configuration was read. */
export function checkStart(config: Config, env: Io['env'], readFile: ReadFile): Promise<Finding> {
  return look(
    {
      subject: 'start',
      place: 'configuration',
      tried: 'prepared everything as tessera serve does',
    },
    async () => {
      const said = await refusalOf(config, env, readFile)
      return said === undefined
        ? {}
        : { said, cure: 'correct this: tessera serve would refuse to start with the same words' }
    },
  )
}

/** The message with which `tessera serve` would refuse to start; undefined if it would start. */
async function refusalOf(config: Config, env: Io['env'], readFile: ReadFile): Promise<string | undefined> {
  const { refused } = sharedFeaturesOf(config)
  if (workersOf(config) > 1 && refused.length > 0) return refused.join('; ')
  const source = createReloadSource({ env, readFile })
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
    return firstLineOf(error)
  } finally {
    await source.close()
  }
}
