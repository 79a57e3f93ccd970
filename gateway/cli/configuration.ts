/** The configuration, for commands that need it, and addresses of subgraphs that run as services. */
import { subgraphNames } from '../../subgraphs/index.ts'
import { type Config, readConfig } from '../config/index.ts'
import { ConfigurationError, type Io, UsageError } from './command.ts'

/** Throws a ConfigurationError with all faults. */
export function configurationFrom(env: Io['env']): Config {
  const { config, faults } = readConfig(env)
  if (faults !== undefined) throw new ConfigurationError(faults)
  return config
}

/** Reads each `--url NAME=URL`. NAME is one of `names`, by default those of our own subgraphs; the last value of a name wins. */
export function subgraphUrlsFrom(
  texts: readonly string[],
  names: readonly string[] = subgraphNames,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name = '', url = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
      if (!names.includes(name) || !/^https?:/.test(url) || !URL.canParse(url))
        throw new UsageError(`--url expects NAME=http://…, with NAME one of ${names.join(', ')}`)
      return [name, url]
    }),
  )
}
