/** Reads `--url NAME=URL`, for subgraphs of our own that run as services. */
import { subgraphNames } from '../../subgraphs/index.ts'
import { UsageError } from './command.ts'

/** Reads each `NAME=URL`. NAME is one of our own subgraphs, and the last value of a name wins. */
export function subgraphUrlsFrom(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const equals = text.indexOf('=')
      const [name, url] = [text.slice(0, Math.max(equals, 0)), text.slice(equals + 1)]
      const known = subgraphNames.some((each) => each === name)
      if (!known || !/^https?:/.test(url) || !URL.canParse(url))
        throw new UsageError(`--url expects NAME=http://…, with NAME one of ${subgraphNames.join(', ')}`)
      return [name, url]
    }),
  )
}
