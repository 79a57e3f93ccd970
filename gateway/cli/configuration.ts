/** The configuration, for commands that need it. */
import { type Config, readConfig } from '../config/index.ts'
import { ConfigurationError, type Io } from './command.ts'

/** Throws a ConfigurationError with all faults. */
export function configurationFrom(env: Io['env']): Config {
  const { config, faults } = readConfig(env)
  if (faults !== undefined) throw new ConfigurationError(faults)
  return config
}
