/**
 * A subgraph service that checks callers itself: every field with a rule requires the scopes of the caller's own token
 * before its resolver runs. It closes `_entities` even to a router that is misconfigured or ignores the directives.
 */
import { defaultFieldResolver, isObjectType } from 'graphql'
import type { GatewayRequest } from '../../engine/request.ts'
import { tesseraError } from '../../shared/errors.ts'
import { anonymous, type Identity } from '../../shared/identity.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import { readRules } from '../auth/authorize/access-rules.ts'
import { explain } from '../auth/authorize/refusal.ts'
import { authenticated, type Claim, isMet, scopeClaim } from '../auth/authorize/requirement.ts'
import { meetsStepUp, stepUpFrom } from '../auth/authorize/step-up.ts'
import { type StepUpRules, withStepUpRules } from '../auth/step-up-rules.ts'

/** A property, because servers copy contexts. */
const callerOf = Symbol('caller')
interface Carrier {
  [callerOf]?: Identity | undefined
}

function holderOf(identity: Identity): (claim: Claim) => boolean {
  const claims = new Set<Claim>([...identity.scopes].map(scopeClaim))
  if (identity.authenticated) claims.add(authenticated)
  return (claim) => {
    if (claims.has(claim)) return true
    const stepUp = stepUpFrom(claim)
    return stepUp !== undefined && meetsStepUp(stepUp, identity, Date.now())
  }
}

/**
 * The same subgraph with its rules enforced: in its schema, in place, for the identity of the request for which a
 * context was made. `stepUp`: requirements on the sign-in that the configuration adds. Without its shortcuts within a
 * process, whose fields have no rules.
 */
export function guardSubgraph(subgraph: Subgraph, stepUp: StepUpRules = {}): Subgraph {
  const rules = readRules(withStepUpRules(subgraph.typeDefs, stepUp, { isPart: true }))
  for (const type of Object.values(subgraph.schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      const required = [
        ...rules.typeRequirements(type.name),
        ...rules.fieldRequirements(type.name, field.name),
      ]
      if (required.length === 0) continue
      const check = (context: Carrier): void => {
        const holds = holderOf(context[callerOf] ?? anonymous)
        if (required.every((requirement) => isMet(requirement, holds))) return
        const { message, extensions } = explain(`${type.name}.${field.name}`, required, holds)
        throw tesseraError('UNAUTHORIZED_FIELD_OR_TYPE', message, { extensions })
      }
      const { resolve = defaultFieldResolver, subscribe } = field
      field.resolve = (source, args, context: Carrier, info) => {
        check(context)
        return resolve(source, args, context, info)
      }
      if (subscribe === undefined) continue
      field.subscribe = (source, args, context: Carrier, info) => {
        check(context)
        return subscribe(source, args, context, info)
      }
    }
  }
  return {
    ...subgraph,
    createContext(request) {
      const context: Carrier = subgraph.createContext(request)
      context[callerOf] = (request as GatewayRequest).identity
      return context
    },
  }
}
