/** The supergraph that is served in place of ours: whether it can be read, and is one. */
import { messageOf } from '../../../contract/thrown.ts'
import type { Leak } from '../../access/authorize/index.ts'
import { servedSupergraph } from '../../assembly/index.ts'
import type { Config, Values } from '../../config/index.ts'
import { createSupergraphAddress } from '../../reload/supergraph-address.ts'
import { readSupergraphFile } from '../../reload/supergraph-file.ts'
import { type Finding, placeOf, timed } from './finding.ts'
import { checkNames } from './names.ts'

export async function checkSupergraph(place: string, config: Config): Promise<Finding[]> {
  const { values } = config
  let names: Finding[] = []
  const isAddress = /^https?:/.test(place)
  const [outcome, milliseconds] = await timed(async (): Promise<Pick<Finding, 'said' | 'cure'>> => {
    let text: string
    try {
      text = isAddress ? await fetchSupergraph(place, values) : await readSupergraphFile(place)
    } catch (error) {
      const said = messageOf(error)
      return {
        said,
        cure: 'correct TESSERA_SUPERGRAPH, and TESSERA_SUPERGRAPH_KEY where the address requires one',
      }
    }
    try {
      const { supergraph, closed, oddities } = servedSupergraph(text, values.TESSERA_STEP_UP)
      const { subgraphs } = supergraph
      names = checkNames(
        config,
        subgraphs.map(({ name }) => name),
      )
      return { said: [`${subgraphs.length} subgraphs`, ...closed.map(closedInWords), ...oddities].join('; ') }
    } catch (error) {
      const [said] = messageOf(error).split('\n', 1)
      return { said: said?.slice(0, 300), cure: 'compose the subgraphs first: docs/federation.md' }
    }
  })
  const read: Finding = {
    subject: 'supergraph',
    place: isAddress ? placeOf(place) : 'file',
    milliseconds,
    tried: 'read it',
    ...outcome,
  }
  return [read, ...names]
}

const closedInWords = ({ field, protected: behind }: Leak): string =>
  `${field} is closed by the rules of ${behind}, which it needs`

async function fetchSupergraph(url: string, values: Values): Promise<string> {
  const { TESSERA_SUPERGRAPH_KEY: value, TESSERA_SUPERGRAPH_KEY_HEADER: header } = values
  const address = createSupergraphAddress({
    url,
    key: value === undefined ? undefined : { header: header.toLowerCase(), value },
  })
  try {
    return await address.read()
  } finally {
    await address.close()
  }
}
