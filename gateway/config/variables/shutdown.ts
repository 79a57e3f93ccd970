/** How the server stops. */
import { integer } from '../fields.ts'

export const shutdownVariables = {
  TESSERA_SHUTDOWN_GRACE_MS: integer(0, 600_000)
    .default(10_000)
    .describe('How long running requests may finish.'),
  TESSERA_SHUTDOWN_DELAY_MS: integer(0, 600_000)
    .default(0)
    .describe(
      'How long requests are still accepted after the signal to stop, while `/health/ready` already says no.',
    ),
} as const
