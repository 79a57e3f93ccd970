/** How changes reach a running gateway. */
import { lazily, section } from '../settings/index.ts'
import { integer, milliseconds } from '../settings/kinds.ts'

export const reload = lazily(() =>
  section(
    {
      watchMs: milliseconds(0, 86_400_000)
        .default(1_000)
        .describe(
          'How often the files of configuration, supergraph, trusted operations and certificates are checked for changes; 0 is never.',
        ),
      warmOperations: integer(0, 100_000)
        .default(100)
        .describe(
          'The most operations that a new generation prepares before it takes over: those asked for most, and at start those of the manifest.',
        )
        .meta({ reload: true }),
    },
    'How changes reach a running gateway: [reload](federation.md#reload).',
  ).meta({ prefix: 'TESSERA_' }),
)
