/** The limits on one operation: a part of the setting `limits`. */
import type { GraphQLError } from 'graphql'
import type { z } from 'zod'
import { tesseraError } from '../../../shared/errors.ts'
import type { limits } from '../config.ts'

export type Limits = Readonly<
  Pick<
    z.output<typeof limits>,
    | 'tokens'
    | 'nesting'
    | 'depth'
    | 'aliases'
    | 'rootFields'
    | 'directives'
    | 'fields'
    | 'listItems'
    | 'values'
  >
>

export function tooLarge(what: string, limit: number, found: number, name: keyof Limits): GraphQLError {
  return tesseraError(
    'OPERATION_TOO_LARGE',
    `The operation has ${what}: ${found}. At most ${limit} are allowed.`,
    { extensions: { limit: name, maximum: limit, found } },
  )
}
