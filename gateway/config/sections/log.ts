/** The fields of a request's line in the log. */
import { z } from 'zod'
import { type AccessField, accessFields, isLoggable } from '../../pipeline/index.ts'

const names = Object.keys(accessFields) as [AccessField, ...AccessField[]]

export const logSection = z
  .strictObject({
    fields: z
      .array(z.enum(names, { error: `expected one of ${names.join(', ')}` }))
      .min(1, 'expected at least one field')
      .optional()
      .describe('The fields, in their order; the usual ones by default.'),
    headers: z
      .array(
        z
          .string({ error: 'expected the name of a header' })
          .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/, 'expected the name of a header')
          .refine(isLoggable, 'what may be a credential is never logged'),
      )
      .max(50)
      .optional()
      .describe('Headers of the caller besides, each as `header_NAME`.'),
  })
  .prefault({})
  .describe('What stands in the line of a request in the log.')
