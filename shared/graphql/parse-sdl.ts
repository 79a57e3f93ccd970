/** The one way from SDL to a document: with what the edition of September 2026 adds to the language of schemas. */
import { type DocumentNode, type ParseOptions, parse, type Source } from 'graphql'

/** Directives may stand on definitions of directives, and on extensions of them; nothing here gives them a meaning. */
export function parseSdl(text: string | Source, options: ParseOptions = {}): DocumentNode {
  return parse(text, { ...options, experimentalDirectivesOnDirectiveDefinitions: true })
}
