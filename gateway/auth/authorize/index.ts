/**
 * Field-level authorization: reads the rules of any supergraph, and removes from an operation what a caller may not
 * see. An operation is analyzed once. After that a request costs a comparison of bits (`grant`). The caller of this
 * module keeps the part of the operation that a grant leaves (`filter`), once for each grant. The semantics are Apollo
 * Router's: `decision.ts` has the rules, `filter.ts` the remainder.
 */
import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql'
import type {
  NormalisedField,
  NormalisedOperation,
  Selection as Selected,
} from '../../../engine/operation/normalised.ts'
import { typesOf } from '../../../engine/operation/type-source.ts'
import type { RefusedField } from '../../../engine/response/index.ts'
import { tesseraError } from '../../../shared/errors.ts'
import type { Identity } from '../../../shared/identity.ts'
import { type AccessRequirements, readRules } from './access-rules.ts'
import { createFindRequirements, type SiteRequirements } from './decision.ts'
import { type FieldSites, findFieldSites } from './field-sites.ts'
import { type Filtering, filterOperation } from './filter.ts'
import { createClaimBits, createGrants, type Grant, granted } from './grant.ts'
import { withoutLeaks } from './leaks.ts'
import { explain, refusalError } from './refusal.ts'
import { type Claim, policiesIn, policyClaim, type Requirement } from './requirement.ts'
import { meetsStepUp, type StepUp, stepUpFrom } from './step-up.ts'

export { Grant, granted } from './grant.ts'
export { findLeaks, type Leak, withoutLeaks } from './leaks.ts'

/**
 * Decides policies: returns those of `policies` that the caller meets. `context` is what was passed to `grant`. A hook
 * that throws fails the request; a policy that it does not return is refused.
 */
export type PolicyHook = (question: {
  readonly policies: readonly string[]
  readonly identity: Identity
  readonly context: unknown
}) => Iterable<string> | Promise<Iterable<string>>

/** `filter`: refused fields are null. `reject`: one refused field refuses the operation. `dryRun`: refusals are only reported. */
export type AuthorizationMode = 'filter' | 'reject' | 'dryRun'

export interface AuthorizerOptions {
  readonly policies?: PolicyHook
  readonly mode?: AuthorizationMode
  /** Milliseconds since 1970, for the age of sign-ins. */
  readonly now?: () => number
}

export interface Filtered {
  /**
   * What may run: the analyzed operation itself if nothing is refused, null if everything is. Reading it throws
   * `OPERATION_TOO_LARGE` if it is too large, while what is refused can be told.
   */
  readonly allowed: NormalisedOperation | null
  /** The fields that are null with an error, by their ids in the normalised operation. */
  readonly refusals: readonly RefusedField[]
  /** Mode `reject`: the whole response. */
  readonly reject?: readonly GraphQLError[]
  /** Mode `dryRun`: errors to add to a response that is otherwise complete. */
  readonly report?: readonly GraphQLError[]
}

export interface OperationRequirements {
  /** No rule applies to the operation: every grant is `granted`. */
  readonly open: boolean
  readonly policies: readonly string[]
  /** Synchronous unless a policy must be decided. */
  grant(identity: Identity, context?: unknown): Grant | Promise<Grant>
  filter(grant: Grant): Filtered
}

export interface Authorizer {
  /** For an operation that is valid against the API schema. */
  analyze(operation: NormalisedOperation): OperationRequirements
}

/** The authorizer of a graph without rules. */
export const openAuthorizer: Authorizer = { analyze: unguarded }

/** Refused fields beyond this many are not reported one by one. */
const mostErrors = 100

export function createAuthorizer(
  supergraph: DocumentNode,
  apiSchema: GraphQLSchema,
  { policies: hook, mode = 'filter', now = Date.now }: AuthorizerOptions = {},
): Authorizer {
  // A protected value must not leave through a field that requires it, however the supergraph was composed.
  const rules = readRules(withoutLeaks(supergraph).document)
  const bits = createClaimBits(rules.claims)
  const requirementsOf = createFindRequirements(rules, typesOf(apiSchema))

  return {
    analyze(operation) {
      if (rules.claims.length === 0) return unguarded(operation)
      const requiredAt = new Map<NormalisedField, SiteRequirements>()
      const requirements = new Set<Requirement>()
      for (const field of operation.fields) {
        const required = requirementsOf(field)
        if (required === undefined) continue
        requiredAt.set(field, required)
        const { whole, around, byType } = required
        for (const all of [whole, around, ...byType.values()])
          for (const requirement of all) requirements.add(requirement)
      }
      if (requirements.size === 0) return unguarded(operation)

      const list = [...requirements]
      const grantOf = createGrants(bits, list)
      const policies = [...new Set(list.flatMap((requirement) => requirement.flatMap(policiesIn)))].sort()

      const stepUps = stepUpsOf(list)

      const heldBy = (identity: Identity): bigint => {
        const held = bits.held(identity)
        if (stepUps.length === 0) return held
        const at = now()
        const met = stepUps.filter(({ stepUp }) => meetsStepUp(stepUp, identity, at))
        return held | bits.of(met.map(({ claim }) => claim))
      }
      const ask = async (decides: PolicyHook, identity: Identity, context: unknown): Promise<Grant> => {
        const met = await decide(decides, policies, identity, context)
        return grantOf(heldBy(identity) | bits.of(met.map(policyClaim)))
      }

      return {
        open: false,
        policies,
        grant(identity, context) {
          if (policies.length === 0 || hook === undefined) return grantOf(heldBy(identity))
          return ask(hook, identity, context)
        },
        filter(grant) {
          if (grant === granted) return { allowed: operation, refusals: [] }
          const selection = findFieldSites(apiSchema, operation)
          const filtering = filterOperation(selection, requiredAt, (requirement) => grant.meets(requirement))
          const holds = (claim: Claim): boolean => grant.holds(claim)
          const refusals = refusalsOf(selection, filtering, holds)
          if (mode === 'filter')
            return {
              get allowed() {
                return filtering.allowed()
              },
              refusals,
            }
          const [first] = refusals
          if (first === undefined) return { allowed: operation, refusals }
          const errors = errorsOf(selection, filtering, holds, mode === 'dryRun')
          // The operation is too wide to be walked to a refused field: one error without a path represents all.
          if (errors.length === 0) errors.push(refusalError(first, []))
          if (mode === 'reject') return { allowed: null, refusals, reject: errors }
          return { allowed: operation, refusals: [], report: errors }
        },
      }
    },
  }
}

function stepUpsOf(
  requirements: readonly Requirement[],
): readonly { readonly claim: Claim; readonly stepUp: StepUp }[] {
  return [...new Set(requirements.flat(2))].flatMap((claim) => {
    const stepUp = stepUpFrom(claim)
    return stepUp === undefined ? [] : [{ claim, stepUp }]
  })
}

function unguarded(operation: NormalisedOperation): OperationRequirements {
  return {
    open: true,
    policies: [],
    grant: () => granted,
    filter: () => ({ allowed: operation, refusals: [] }),
  }
}

async function decide(
  hook: PolicyHook,
  policies: readonly string[],
  identity: Identity,
  context: unknown,
): Promise<readonly string[]> {
  try {
    const met = new Set(await hook({ policies, identity, context }))
    // A policy that was not asked for opens nothing.
    return policies.filter((policy) => met.has(policy))
  } catch (cause) {
    if (cause instanceof GraphQLError && cause.extensions.code === 'HOOK_FAILED') throw cause
    throw tesseraError('INTERNAL_SERVER_ERROR', 'The policies of this operation could not be decided.', {
      cause,
    })
  }
}

/** The refused fields below a selection, with their response keys; each path once. */
function refusedBelow(
  filtering: Filtering,
  start: readonly Selected[] | undefined,
  visit: (field: NormalisedField, required: AccessRequirements, path: readonly string[]) => void,
  intoRefused: boolean,
  /** Whether to visit a `__typename` in a refused fragment in which nothing else is refused. */
  idle = false,
): void {
  const seen = new Set<string>()
  let steps = 0
  const walk = (selections: readonly Selected[] | undefined, path: readonly string[]): void => {
    for (const { field } of selections ?? []) {
      if (++steps > 10_000 || seen.size >= mostErrors) return
      const here = [...path, field.key]
      const decision = filtering.decisions.get(field)
      const required = decision?.refused[0]?.required ?? (idle ? decision?.around : undefined)
      const known = JSON.stringify(here)
      if (required !== undefined && !seen.has(known)) {
        seen.add(known)
        visit(field, required, here)
      }
      const open = decision?.open
      if (intoRefused || open === undefined || open.length > 0) walk(field.selections, here)
    }
  }
  walk(start, [])
}

/** `type`: the object type for which it is refused; `*` for its parent type. */
function coordinateOf({ parent, name }: NormalisedField, type = '*'): string {
  return `${type === '*' ? parent : type}.${name}`
}

function refusalsOf(
  selection: FieldSites,
  filtering: Filtering,
  holds: (claim: Claim) => boolean,
): RefusedField[] {
  const refusals: RefusedField[] = []
  for (const [field, { refused }] of filtering.decisions)
    for (const { type, required } of refused)
      refusals.push({
        field: field.id,
        parentType: type,
        ...explain(coordinateOf(field, type), required, holds),
      })
  for (const field of filtering.emptied) {
    const site = selection.sites.get(field)
    const open = filtering.decisions.get(field)?.open
    const types = open ?? [site === undefined || site.parentIsAbstract ? '*' : field.parent]
    const before = refusals.length
    const add = (refused: NormalisedField, required: AccessRequirements, below: readonly string[]): void => {
      const explained = explain(coordinateOf(refused), required, holds)
      for (const parentType of types) refusals.push({ field: field.id, parentType, ...explained, below })
    }
    refusedBelow(filtering, field.selections, add, false)
    // Only type names of refused types are selected: without this their null would have no error.
    if (refusals.length === before) refusedBelow(filtering, field.selections, add, false, true)
  }
  return refusals
}

/** An error for each refused field, with the path of its response keys, for responses without data. */
function errorsOf(
  selection: FieldSites,
  filtering: Filtering,
  holds: (claim: Claim) => boolean,
  intoRefused: boolean,
): GraphQLError[] {
  const errors: GraphQLError[] = []
  refusedBelow(
    filtering,
    selection.operation.selections,
    (field, required, path) => {
      errors.push(refusalError(explain(coordinateOf(field), required, holds), path))
    },
    intoRefused,
  )
  return errors
}
