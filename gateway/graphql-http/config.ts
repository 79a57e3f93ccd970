/** GraphQL over HTTP. */
import { lazily, section } from '../settings/index.ts'
import { oneOf } from '../settings/kinds.ts'

export const http = lazily(() =>
  section(
    {
      profile: oneOf('2025', '2026')
        .default('2025')
        .describe(
          'The edition of GraphQL over HTTP by which statuses are chosen: the text that the public audit checks (2025), or the edition of September 2026: [GraphQL over HTTP](graphql-over-http.md).',
        ),
    },
    'How GraphQL is answered over HTTP.',
  ).meta({ reload: true }),
)
