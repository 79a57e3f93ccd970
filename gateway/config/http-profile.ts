/** The edition of GraphQL over HTTP in a configuration: from the variable, or else from the file. */
import type { Config } from './config.ts'

export function httpProfileOf({ values, sections }: Pick<Config, 'values' | 'sections'>): '2025' | '2026' {
  return values.TESSERA_HTTP_PROFILE ?? sections.http.profile ?? '2025'
}
