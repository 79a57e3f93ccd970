/**
 * A subgraph service that checks callers by itself: every field with a rule asks for the scopes of the
 * caller's own token before its resolver runs. It closes `_entities` even to a router that is misconfigured
 * or that ignores the directives.
 */
import { defaultFieldResolver, type GraphQLSchema, isObjectType } from 'graphql'
import { tesseraError } from '../subgraphs/lib/errors.ts'
import type { Subgraph } from '../subgraphs/lib/subgraph.ts'
import type { Identity } from './authenticate.ts'
import { explain } from './authorize/refusal.ts'
import { authenticated, type Claim, isMet, scopeClaim } from './authorize/requirement.ts'
import { readRules } from './authorize/rules.ts'

function holderOf(identity: Identity): (claim: Claim) => boolean {
  const claims = new Set<Claim>([...identity.scopes].map(scopeClaim))
  if (identity.authenticated) claims.add(authenticated)
  return (claim) => claims.has(claim)
}

/**
 * The same schema with its rules enforced, in place. `identityOf` finds the caller of a context that
 * `createContext` made.
 */
export function guardSubgraph(subgraph: Subgraph, identityOf: (context: object) => Identity): GraphQLSchema {
  const rules = readRules(subgraph.typeDefs)
  for (const type of Object.values(subgraph.schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      const gate = [...rules.typeGate(type.name), ...rules.fieldGate(type.name, field.name)]
      if (gate.length === 0) continue
      const resolve = field.resolve ?? defaultFieldResolver
      field.resolve = (source, args, context: object, info) => {
        const holds = holderOf(identityOf(context))
        if (gate.every((requirement) => isMet(requirement, holds)))
          return resolve(source, args, context, info)
        const { message, extensions } = explain(`${type.name}.${field.name}`, gate, holds)
        throw tesseraError('UNAUTHORIZED_FIELD_OR_TYPE', message, { extensions })
      }
    }
  }
  return subgraph.schema
}
