/** Ids in arguments. */
import { badInput } from '../../shared/errors.ts'
import { isServiceId } from './model.ts'

/** The expected form of an id, for error messages. */
export const idForm = 'a whole number from 1 to 9223372036854775807, in decimal digits without leading zeros'

export function checkId(id: string, at: string): string {
  if (isServiceId(id)) return id
  throw badInput(`\`${at}\` must be ${idForm}.`, { argument: at })
}
