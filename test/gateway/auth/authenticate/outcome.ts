/** What becomes of a request at an authenticator: its caller, or the code and the reason with which it is refused. */
import type { Authenticator, ProofMaterial } from '../../../../gateway/auth/authenticate/index.ts'
import type { Identity } from '../../../../shared/identity.ts'

interface Outcome {
  readonly identity?: Identity
  readonly code?: string
  readonly reason?: string | undefined
}

export async function outcomeOf(
  on: Pick<Authenticator, 'authenticate'>,
  header: string | undefined,
  shown?: ProofMaterial,
): Promise<Outcome> {
  try {
    return { identity: await on.authenticate(header, shown) }
  } catch (error) {
    const { code, authentication } = (
      error as { extensions: { code: string; authentication?: { reason: string } } }
    ).extensions
    return { code, reason: authentication?.reason }
  }
}
