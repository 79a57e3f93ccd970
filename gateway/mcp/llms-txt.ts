/** `/llms.txt`: what this server offers to programs with a language model, in the usual form (llmstxt.org). */
import { agentsPath } from '../server/resource-metadata.ts'
import { type Route, securityHeaders } from '../server/routes.ts'

/** `addressOf`: the address at which the client of a request reaches us, by its `Host`. */
export function llmsRoute(addressOf: (host: string | undefined) => string): Route {
  return {
    method: 'GET',
    path: '/llms.txt',
    answer: ({ raw }) => ({
      headers: {
        ...securityHeaders,
        'content-type': 'text/markdown; charset=utf-8',
        'cache-control': 'public, max-age=300',
        vary: 'host',
      },
      text: textFor(addressOf(raw.headers.host)),
    }),
  }
}

const textFor = (address: string): string => `# Tessera

> One GraphQL graph over several services, with scopes for each field and prices in quota units.

Use the Model Context Protocol: it bounds answers, tells prices and scopes, and marks text that strangers wrote.

- [Agents](${address}${agentsPath}): Model Context Protocol, revisions 2026-07-28 and 2025-11-25, by POST
- [GraphQL](${address}/graphql): GraphQL over HTTP, by GET and POST
- [Authorization](${address}/.well-known/oauth-protected-resource${agentsPath}): the issuers of tokens, and what each scope opens (RFC 9728)
`
