/** Parses all SDL, including the syntax that the edition of September 2026 adds. */
import { type DefinitionNode, type DocumentNode, Kind, type ParseOptions, type Source } from 'graphql'
import type { Steps } from '../runtime/steps.ts'
import { parseText } from './parse-text.ts'
import { NodeSharing } from './share-nodes.ts'
import { definitionsIn } from './split-document.ts'

const withAllSyntax = { experimentalDirectivesOnDirectiveDefinitions: true } as const

/** Directives on directive definitions and their extensions are accepted and have no effect. */
export function parseSdl(text: string | Source, options: ParseOptions = {}): DocumentNode {
  return parseText(text, { ...options, ...withAllSyntax })
}

/** Equal nodes of shorter texts are not shared, because they take little memory. */
const shareCharacters = 500_000

/** The same without locations, in steps, so that requests run while a large supergraph is parsed. */
export function* parsingSdl(text: string): Steps<DocumentNode> {
  const sharing = text.length < shareCharacters ? undefined : new NodeSharing()
  const definitions: DefinitionNode[] = []
  for (const piece of definitionsIn(text)) {
    const part = parseText(piece, { ...withAllSyntax, noLocation: true })
    sharing?.within(part)
    for (const definition of part.definitions) definitions.push(definition)
    yield
  }
  return { kind: Kind.DOCUMENT, definitions }
}
