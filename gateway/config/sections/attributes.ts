/** Custom attributes on spans and metrics. */
import { z } from 'zod'
import { isLoggable } from '../../pipeline/index.ts'

const header = z
  .string({ error: 'expected the name of a header' })
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/, 'expected the name of a header')
  .refine(isLoggable, 'what may be a credential is no attribute')
const claim = z
  .string({ error: 'expected the name of a claim' })
  .regex(/^[\w.:/-]{1,200}$/, 'expected the name of a claim')
  .refine(isLoggable, 'what may be a credential is no attribute')

const names = (most: number) => ({
  headers: z.array(header).max(most).optional().describe('Headers of the caller.'),
  claims: z
    .array(claim)
    .max(most)
    .optional()
    .describe("Claims of the caller's token that are a text, a number, true or false."),
})

export const attributesSection = z
  .strictObject({
    spans: z.strictObject(names(20)).optional().describe('On the span of each request.'),
    metrics: z
      .strictObject({
        ...names(5),
        mostValues: z
          .int()
          .min(1)
          .max(1000)
          .default(50)
          .describe('How many values of each have a series; the rest is counted as `other`.'),
      })
      .optional()
      .describe('Each request is counted by them in `tessera_requests_by_attribute_total`.'),
  })
  .prefault({})
  .describe('Headers and claims of the caller as attributes of spans and metrics.')
