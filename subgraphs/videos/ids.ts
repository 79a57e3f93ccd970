/** Ids in arguments, and the names of lists in cursors. */
import { badInput } from '../../contract/errors.ts'
import { isServiceId } from './model.ts'

/** What an id must be, for messages. */
export const idForm = '1 to 64 letters, digits, `_` and `-`'

export function checkId(id: string, at: string): string {
  if (isServiceId(id)) return id
  throw badInput(`\`${at}\` must be ${idForm}.`, { argument: at })
}

export function threadListName(
  by: 'videoId' | 'channelId',
  id: string,
  order: 'relevance' | 'time',
  searchTerms?: string,
): string {
  return `threads ${JSON.stringify([by, id, order, searchTerms ?? null])}`
}
