/** Checks a foreign supergraph: whether each of its sources can be read, and contains one. */
import { counted } from '../../../shared/runtime/counted.ts'
import { messageOf } from '../../../shared/runtime/thrown.ts'
import type { Leak } from '../../auth/authorize/index.ts'
import type { Config } from '../../config/index.ts'
import { readManifestText } from '../../pipeline/persisted/index.ts'
import { settingsOf } from '../../reload/text-sources.ts'
import { createSources, parsePlaces } from '../../sources/index.ts'
import { servedSupergraph } from '../../sources/served-supergraph.ts'
import { firstLineOf } from '../command.ts'
import { type Finding, look, type Outcome } from './finding.ts'
import { checkNames } from './names.ts'

export async function checkSupergraph(place: string, config: Config): Promise<Finding[]> {
  let names: Finding[] = []
  const findings = await checkPlaces('supergraph', place, config, (text) => {
    try {
      const { supergraph, closed, oddities } = servedSupergraph(text, config.authorization.stepUp)
      const known = supergraph.subgraphs.map(({ name }) => name)
      names = checkNames(config, known)
      return {
        said: [counted(known.length, 'subgraph'), ...closed.map(closedInWords), ...oddities].join('; '),
      }
    } catch (error) {
      return { said: firstLineOf(error), cure: 'compose the subgraphs first: docs/federation.md' }
    }
  })
  return [...findings, ...names]
}

/** Checks whether each source of trusted operations can be read, and contains some. */
export function checkManifest(place: string, config: Config): Promise<Finding[]> {
  return checkPlaces('manifest', place, config, (text) => {
    try {
      return { said: counted(readManifestText(text, 'it').size, 'operation') }
    } catch (error) {
      return { said: messageOf(error).slice(0, 300), cure: 'make the manifest by `tessera persist`' }
    }
  })
}

const variableOf = { supergraph: 'TESSERA_SUPERGRAPH', manifest: 'TESSERA_PERSISTED_MANIFEST' } as const

/** One after the other: the last readable supergraph decides which names of subgraphs are known. */
async function checkPlaces(
  what: keyof typeof variableOf,
  text: string,
  config: Config,
  judge: (text: string) => Outcome,
): Promise<Finding[]> {
  const variable = variableOf[what]
  const findings: Finding[] = []
  for (const place of parsePlaces(text)) {
    const sources = createSources({
      ...settingsOf[what](config),
      copy: undefined,
      what,
      places: [place],
      sentence: (name, reason) => `the ${what} cannot be read: ${name}: ${reason}`,
      signal: new AbortController().signal,
    })
    const finding = await look(
      { subject: what, place: place.kind === 'file' ? 'file' : place.name, tried: 'read it' },
      async () => judge((await sources.read()).text),
      (error) => ({
        said: messageOf(error),
        cure: `correct ${variable}, and ${variable}_KEY, TESSERA_OCI_CONFIG or AWS_ACCESS_KEY_ID if its source requires one`,
      }),
    )
    findings.push(finding)
  }
  return findings
}

const closedInWords = ({ field, protected: behind }: Leak): string =>
  `${field} is closed by the rules of ${behind}, which it needs`
