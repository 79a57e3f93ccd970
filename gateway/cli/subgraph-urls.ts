/** Reads `--url NAME=URL`, for subgraphs that run as services. */
import { subgraphNames } from '../../subgraphs/index.ts'
import { UsageError } from './command.ts'

/** Reads each `NAME=URL`. NAME is one of `names`, by default those of our own subgraphs; the last value of a name wins. */
export function subgraphUrlsFrom(
  texts: readonly string[],
  names: readonly string[] = subgraphNames,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const equals = text.indexOf('=')
      const [name, url] = [text.slice(0, Math.max(equals, 0)), text.slice(equals + 1)]
      if (!names.includes(name) || !/^https?:/.test(url) || !URL.canParse(url))
        throw new UsageError(`--url expects NAME=http://…, with NAME one of ${names.join(', ')}`)
      return [name, url]
    }),
  )
}
