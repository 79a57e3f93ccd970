/** Parses all SDL, including the syntax that the edition of September 2026 adds. */
import { type DocumentNode, type ParseOptions, parse, type Source } from 'graphql'
import { shareNodes } from './share-nodes.ts'

/** Directives on directive definitions and their extensions are accepted and have no effect. */
export function parseSdl(text: string | Source, options: ParseOptions = {}): DocumentNode {
  const document = parse(text, { ...options, experimentalDirectivesOnDirectiveDefinitions: true })
  return options.noLocation === true ? shareNodes(document) : document
}
