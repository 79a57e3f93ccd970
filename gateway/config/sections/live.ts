/** How often subscriptions poll the services. */
import { z } from 'zod'
import { serviceNames } from '../../../subgraphs/index.ts'

const expected = 'expected seconds from 1 to 86400'

const ofService = z
  .strictObject({
    everySeconds: z
      .number({ error: expected })
      .min(1, expected)
      .max(86_400, expected)
      .optional()
      .describe(
        'The interval between two polls if no client wishes otherwise, in seconds. A variable `TESSERA_<SERVICE>_LIVE_EVERY_SECONDS` comes before it.',
      ),
  })
  .optional()

export const liveSection = z
  .strictObject(Object.fromEntries(serviceNames.map((name) => [name, ofService])))
  .optional()
  .describe(
    'How often subscriptions ask each service for changes; each field has its own interval without it.',
  )
