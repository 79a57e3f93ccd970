/** What operations of any graph may cost by `@cost` and `@listSize`. */
import { z } from 'zod'
import { count, yesOrNo } from './fields.ts'

export const demandSection = z
  .strictObject({
    mode: z
      .enum(['measure', 'enforce'], { error: 'expected measure or enforce' })
      .describe(
        '`measure` works out costs and refuses nothing; `enforce` refuses what costs more than `max`.',
      ),
    max: count(0, 1e12).optional().describe('The most that one operation may cost, as estimated.'),
    listSize: count(0, 1e6)
      .default(10)
      .describe('The assumed length of a list of which neither `@listSize` nor an argument says anything.'),
    actual: yesOrNo
      .default(true)
      .describe('Whether the cost of each answer is worked out, too; it has to be read for that.'),
    report: z
      .enum(['asked', 'always', 'never'], { error: 'expected asked, always or never' })
      .default('asked')
      .describe(
        'Who gets the price, as `extensions.cost` and the header `Tessera-Cost`: callers that send that header, all, or none.',
      ),
  })
  .refine(({ mode, max }) => mode === 'measure' || max !== undefined, {
    error: 'expected `max` if the mode is enforce',
  })
  .optional()
  .describe('The cost of operations by `@cost` and `@listSize`; not worked out without it.')
