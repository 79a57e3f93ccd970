/** Parses all SDL, including the syntax that the edition of September 2026 adds. */
import { type DocumentNode, type ParseOptions, parse, type Source } from 'graphql'
import { SharingParser } from './sharing-parser.ts'

/** Directives on directive definitions and their extensions are accepted and have no effect. */
export function parseSdl(text: string | Source, options: ParseOptions = {}): DocumentNode {
  const all = { ...options, experimentalDirectivesOnDirectiveDefinitions: true }
  return options.noLocation === true ? new SharingParser(text, all).parseDocument() : parse(text, all)
}
