/**
 * The current permission of a subscriber. Its token is checked again, and hooks decide again about its identity and its
 * policies. Without hooks and with a remembered token this needs no waiting.
 */
import { codeOf, tesseraError } from '../../shared/errors.ts'
import type { Identity } from '../../shared/identity.ts'
import { type Awaitable, whenReady } from '../../shared/runtime/is-promise.ts'
import type { Granted, Operation } from '../auth/granted-operation.ts'
import { HookRefusal, type Stages } from '../hooks/index.ts'
import type { Caller } from './caller.ts'
import type { Subscriber } from './subscriber.ts'

export interface Permission {
  readonly identity: Identity
  readonly granted: Granted
}

/**
 * Throws or rejects if the token has expired, or if a hook refuses the subscriber. If the token cannot be checked now, the
 * error is `SUBSCRIPTION_RESTART`.
 */
export function permissionOf(
  subscriber: Subscriber,
  operation: Operation,
  hooks: Stages | undefined,
  deadline: number,
): Awaitable<Permission> {
  const shown = identityOf(subscriber.caller)
  const decide = hooks?.identity
  const { hooked } = subscriber
  const grant = (identity: Identity): Awaitable<Permission> => {
    if (identity.tokenFault !== undefined && !operation.requirements.open) throw identity.tokenFault
    const granted = operation.grantedTo(identity, deadline, hooked)
    return whenReady(granted, (known) => ({ identity, granted: known }))
  }
  if (decide === undefined || hooked === undefined) return whenReady(shown, grant)
  return Promise.resolve(shown).then(async (identity) => {
    const seen = await decide(hooked, identity)
    if (seen instanceof HookRefusal) throw seen.error
    return grant(seen)
  })
}

function identityOf(caller: Caller): Awaitable<Identity> {
  const shown = caller.identity()
  return shown instanceof Promise ? shown.catch(restartIfAway) : shown
}

/** A token that cannot be checked now is not wrong: its client is to subscribe again with it. */
function restartIfAway(error: unknown): never {
  if (codeOf(error) !== 'UPSTREAM_UNAVAILABLE') throw error
  throw tesseraError('SUBSCRIPTION_RESTART', 'The token cannot be checked now: subscribe again.', {
    cause: error,
  })
}

/** A header of a subscriber, as hooks left it. */
export const headerOfSubscriber = (
  { caller, hooked }: Pick<Subscriber, 'caller' | 'hooked'>,
  name: string,
) => (hooked === undefined ? caller.header(name) : hooked.header(name))

export const namesOfSubscriber = ({ caller, hooked }: Pick<Subscriber, 'caller' | 'hooked'>) =>
  hooked === undefined ? caller.names() : hooked.headerNames()
