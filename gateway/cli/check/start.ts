/** Checks whether `tessera serve` would start: does everything that it does before it listens, by the same functions. */
import { checkGateway } from '../../app.ts'
import type { Config } from '../../config/index.ts'
import { readNamedBy } from '../../reload/index.ts'
import { createLogger } from '../../telemetry/log.ts'
import { firstLineOf } from '../command.ts'
import { sharedFeaturesOf, workersOf } from '../serve-workers.ts'
import { startServed } from '../services.ts'
import { type Finding, look } from './finding.ts'

export function checkStart(config: Config): Promise<Finding> {
  return look(
    {
      subject: 'start',
      place: 'configuration',
      tried: 'prepared everything as tessera serve does',
    },
    async () => {
      const said = await refusalOf(config)
      return said === undefined
        ? {}
        : { said, cure: 'correct this: tessera serve would refuse to start with the same words' }
    },
  )
}

/** The message with which `tessera serve` would refuse to start; undefined if it would start. */
async function refusalOf(config: Config): Promise<string | undefined> {
  const { refused } = sharedFeaturesOf(config)
  if (workersOf(config) > 1 && refused.length > 0) return refused.join('; ')
  const read = await readNamedBy(config)
  if ('faults' in read) return read.faults.join('; ')
  try {
    const { options, services } = await startServed(read)
    try {
      await checkGateway({ ...options, log: createLogger({ level: 'silent' }) })
      return undefined
    } finally {
      await services?.close()
    }
  } catch (error) {
    return firstLineOf(error)
  }
}
