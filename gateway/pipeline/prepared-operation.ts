/**
 * One prepared operation of a document: its requirements, and for each set of granted requirements the part that may be
 * fetched, compiled once.
 */
import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import { estimatedBytes } from '../../engine/cache-memory.ts'
import type { CompiledOperation, Engine } from '../../engine/index.ts'
import { rootKeyOf } from '../../engine/operation/narrow.ts'
import { type NormalisedOperation, normalisedBytes } from '../../engine/operation/normalised.ts'
import type { Identity } from '../../shared/identity.ts'
import { whenReady } from '../../shared/runtime/is-promise.ts'
import type { Authorizer, Grant, OperationRequirements } from '../auth/authorize/index.ts'
import type { Granted, GrantedOperation, Operation } from '../auth/granted-operation.ts'

/** How many different grants of one operation stay compiled. */
const keptGrants = 64

export interface PreparedOperationOptions
  extends Pick<Operation, 'text' | 'hash' | 'document' | 'normalised' | 'checkValues'> {
  /** As it was asked for; undefined if the document has one operation. */
  readonly operationName: string | undefined
  readonly authorizer: Authorizer
  readonly engine: Pick<Engine, 'compile'>
  /** Gets the bytes of what is made and kept for it. */
  readonly noteBytes: (bytes: number) => void
  /** Runs the work once for all who wait for it, until the deadline at most. */
  readonly compileOnce: (
    grant: Grant,
    deadline: number | undefined,
    work: () => Generator<undefined, Granted, undefined>,
  ) => Granted | Promise<Granted>
}

export class PreparedOperation implements Operation {
  readonly text: string
  readonly document: DocumentNode
  readonly normalised: NormalisedOperation
  readonly name: string | undefined
  readonly hash: string
  readonly requirements: OperationRequirements
  readonly checkValues: Operation['checkValues']
  asked = 0
  readonly #options: PreparedOperationOptions
  readonly #byGrant = new LRUCache<Grant['key'], KeptGrant>({ max: keptGrants })

  constructor(options: PreparedOperationOptions) {
    const { text, hash, document, normalised, authorizer } = options
    this.#options = options
    this.text = text
    this.document = document
    this.normalised = normalised
    this.name = normalised.name
    this.hash = hash
    this.requirements = authorizer.analyze(normalised)
    this.checkValues = options.checkValues
  }

  callers(): readonly Identity[] {
    // Policies are not decided for a caller that was refused.
    return this.requirements.policies.length > 0
      ? []
      : [...this.#byGrant.values()].map(({ caller }) => caller)
  }

  grantedTo(identity: Identity, deadline?: number, context?: unknown): Granted | Promise<Granted> {
    const grant = this.requirements.grant(identity, context)
    return whenReady(grant, (made) => this.#withGrant(made, identity, deadline))
  }

  #withGrant(grant: Grant, identity: Identity, deadline: number | undefined): Granted | Promise<Granted> {
    return (
      this.#byGrant.get(grant.key)?.granted ??
      this.#options.compileOnce(grant, deadline, () => this.#compile(grant, identity))
    )
  }

  *#compile(grant: Grant, identity: Identity): Generator<undefined, Granted, undefined> {
    const known = this.#byGrant.get(grant.key)?.granted
    if (known !== undefined) return known
    const { document, operationName, engine, noteBytes } = this.#options
    const { allowed, refusals, reject, report } = this.requirements.filter(grant)
    yield
    let granted: Granted
    let bytes = 0
    if (reject !== undefined) granted = reject
    else {
      const compiled = engine.compile({
        document,
        operationName,
        normalised: this.normalised,
        noteBytes,
        allowed,
        refusals,
      })
      yield* planned(compiled)
      granted = this.#granted({ compiled, allowed, refusals, report })
      if (allowed !== null && allowed !== this.normalised) bytes = normalisedBytes(allowed)
    }
    noteBytes(estimatedBytes.operation + bytes + refusals.length * estimatedBytes.error)
    const { scopes, authenticated } = identity
    this.#byGrant.set(grant.key, { granted, caller: { scopes, authenticated, claims: noClaims } })
    return granted
  }

  #granted(part: CompiledGrant): GrantedOperation {
    return { operation: this, ...part, only: (key) => this.#only(part, key) }
  }

  /** Planned each time, because mutations of several fields with idempotency keys are rare. */
  #only(whole: CompiledGrant, key: string): GrantedOperation {
    const { document, operationName, engine } = this.#options
    const normalised = rootKeyOf(this.normalised, key)
    const left = whole.allowed === null ? null : rootKeyOf(whole.allowed, key)
    const allowed = left?.selections.length === 0 ? null : left
    const fields = new Set(normalised.fields.map(({ id }) => id))
    const refusals = whole.refusals.filter(({ field }) => fields.has(field))
    const compiled = engine.compile({ document, operationName, normalised, allowed, refusals })
    return this.#granted({ ...whole, compiled, allowed, refusals })
  }
}

/** What a grant leaves of the operation, and who asked for it first. */
interface KeptGrant {
  readonly granted: Granted
  readonly caller: Identity
}

type CompiledGrant = Pick<GrantedOperation, 'compiled' | 'allowed' | 'refusals' | 'report'>

const noClaims: Identity['claims'] = Object.freeze({})

/** Plans in turns of the preparation, not in that of the first request. If it fails, requests report it. */
function* planned(compiled: CompiledOperation): Generator<undefined, void, undefined> {
  try {
    yield* compiled.planning()
  } catch {
    // It is thrown again if the operation is executed.
  }
}
