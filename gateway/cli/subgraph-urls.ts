/** `--url NAME=URL`: if one of our subgraphs is a service. */
import { subgraphNames } from '../../subgraphs/index.ts'
import { UsageError } from './command.ts'

/** Reads each `NAME=URL`, where NAME is a subgraph of ours; a later one wins. */
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
