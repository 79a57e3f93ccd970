/** How callers' tokens are checked, as the configuration says. */
import { type Authenticator, createAuthenticator } from '../access/authenticate/index.ts'
import type { Config } from '../config/index.ts'

/** Checks callers' tokens with the configured key; without one every token is refused. */
export function authenticatorFrom({ jwt, values }: Config): Authenticator {
  return createAuthenticator({
    key: jwt?.key,
    issuer: jwt?.issuer,
    audience: jwt?.audience,
    algorithms: jwt?.algorithms,
    aliases: values.TESSERA_SCOPE_ALIASES,
  })
}
