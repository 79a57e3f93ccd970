/** Ids in arguments. */
import { badInput } from '../../contract/errors.ts'
import { isServiceId } from './model.ts'

/** What an id must be, for messages. */
export const idForm = '1 to 19 decimal digits without sign and leading zeros'

export function checkId(id: string, at: string): string {
  if (isServiceId(id)) return id
  throw badInput(`\`${at}\` must be ${idForm}.`, { argument: at })
}
