/** The edition of GraphQL over HTTP that a configuration asks for: by the variable, or else by the file. */
import type { Config } from './config.ts'

export function httpProfileOf({ values, sections }: Pick<Config, 'values' | 'sections'>): '2025' | '2026' {
  return values.TESSERA_HTTP_PROFILE ?? sections.http.profile ?? '2025'
}
