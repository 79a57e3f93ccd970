/** Checks a foreign supergraph: whether each of its sources can be read, and contains one. */
import { messageOf } from '../../../shared/runtime/thrown.ts'
import type { Leak } from '../../auth/authorize/index.ts'
import type { Config } from '../../config/index.ts'
import { readManifestText } from '../../pipeline/persisted/index.ts'
import { settingsOfManifest, settingsOfSupergraph } from '../../reload/text-sources.ts'
import { createSources, type Place, parsePlaces } from '../../sources/index.ts'
import { servedSupergraph } from '../../sources/served-supergraph.ts'
import { type Finding, timed } from './finding.ts'
import { checkNames } from './names.ts'

type Looked = Pick<Finding, 'said' | 'cure'>

export async function checkSupergraph(place: string, config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  let names: Finding[] = []
  for (const each of parsePlaces(place))
    findings.push(
      await checkPlace('supergraph', each, config, (text) => {
        try {
          const { supergraph, closed, oddities } = servedSupergraph(text, config.authorization.stepUp)
          const { subgraphs } = supergraph
          names = checkNames(
            config,
            subgraphs.map(({ name }) => name),
          )
          return {
            said: [`${subgraphs.length} subgraphs`, ...closed.map(closedInWords), ...oddities].join('; '),
          }
        } catch (error) {
          const [said] = messageOf(error).split('\n', 1)
          return { said: said?.slice(0, 300), cure: 'compose the subgraphs first: docs/federation.md' }
        }
      }),
    )
  return [...findings, ...names]
}

/** Checks trusted operations from an address. A file is read at the start anyway. */
export async function checkManifest(place: string, config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const each of parsePlaces(place))
    findings.push(
      await checkPlace('manifest', each, config, (text) => {
        try {
          return { said: `${readManifestText(text, 'it').size} operations` }
        } catch (error) {
          return { said: messageOf(error).slice(0, 300), cure: 'make the manifest by `tessera persist`' }
        }
      }),
    )
  return findings
}

const variableOf = { supergraph: 'TESSERA_SUPERGRAPH', manifest: 'TESSERA_PERSISTED_MANIFEST' } as const

async function checkPlace(
  what: 'supergraph' | 'manifest',
  place: Place,
  config: Config,
  look: (text: string) => Looked,
): Promise<Finding> {
  const settings = what === 'supergraph' ? settingsOfSupergraph(config) : settingsOfManifest(config)
  const ending = new AbortController()
  const [outcome, milliseconds] = await timed(async (): Promise<Looked> => {
    const sentence = (name: string, reason: string): string =>
      `the ${what} cannot be read: ${name}: ${reason}`
    const sources = createSources({
      ...settings,
      copy: undefined,
      what,
      places: [place],
      sentence,
      signal: ending.signal,
    })
    try {
      return look((await sources.read()).text)
    } catch (error) {
      const variable = variableOf[what]
      return {
        said: messageOf(error),
        cure: `correct ${variable}, and ${variable}_KEY, TESSERA_OCI_CONFIG or AWS_ACCESS_KEY_ID if its source requires one`,
      }
    }
  })
  return {
    subject: what,
    place: place.kind === 'file' ? 'file' : place.name,
    milliseconds,
    tried: 'read it',
    ...outcome,
  }
}

const closedInWords = ({ field, protected: behind }: Leak): string =>
  `${field} is closed by the rules of ${behind}, which it needs`
