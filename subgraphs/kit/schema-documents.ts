/** The files in `schema/` as documents. The bundle of the command line has them parsed, as JSON (`bin/bundling.ts`). */
import type { DocumentNode } from 'graphql'
import { parseSdl } from '../../shared/graphql/parse-sdl.ts'

/** `name` is that of the file, without the extension, and `read` reads its text. */
export const documentOf = (_name: string, read: () => string): DocumentNode =>
  parseSdl(read(), { noLocation: true })
