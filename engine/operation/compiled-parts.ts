/**
 * Compiled parts of one operation: what is left without the fields that have an invalid argument. Few requests need
 * one, so each is compiled when a request does, in its turn, because clients choose the values. The last few are kept.
 */
import { LRUCache } from 'lru-cache'
import { createWeight, type NoteBytes, type Weight } from '../cache-memory.ts'
import { asRefusal, type Prepare } from '../executor/incremental/index.ts'
import type { Planning } from '../planner/index.ts'
import type { ResponseShape } from '../response/index.ts'
import type { NullArguments, OperationPart } from './null-arguments.ts'
import type { Variables } from './variables.ts'
import type { Variants } from './variants.ts'

export interface CompiledPart {
  readonly variants: Variants
  readonly shape: ResponseShape
}

interface KeptPart {
  readonly part: CompiledPart
  readonly weight: Weight
}

export interface PartsOptions {
  compile(part: OperationPart, noteBytes: NoteBytes): CompiledPart
  readonly noteBytes: NoteBytes
  readonly prepare: Prepare
}

/** The most parts of an operation that are kept. */
const mostParts = 16

export class PartsWithoutFields {
  readonly #nullArguments: NullArguments
  readonly #options: PartsOptions
  readonly #prepareOnce
  readonly #parts = new LRUCache<string, KeptPart>({
    max: mostParts,
    dispose: ({ weight }) => weight.release(),
  })

  constructor(nullArguments: NullArguments, options: PartsOptions) {
    this.#nullArguments = nullArguments
    this.#options = options
    this.#prepareOnce = options.prepare<CompiledPart>()
  }

  /** Undefined if all arguments are valid. */
  for(variables: Variables, deadline: number): Promise<CompiledPart> | undefined {
    const key = this.#nullArguments.keyOf(variables)
    return key === undefined ? undefined : this.#compiled(key, variables, deadline)
  }

  async #compiled(key: string, variables: Variables, deadline: number): Promise<CompiledPart> {
    const known = this.#parts.get(key)
    if (known !== undefined) return known.part
    try {
      return await this.#prepareOnce(key, deadline, () => this.#making(key, variables))
    } catch (error) {
      throw asRefusal(error)
    }
  }

  *#making(key: string, variables: Variables): Planning<CompiledPart> {
    const weight = createWeight(this.#options.noteBytes)
    const part = this.#options.compile(this.#nullArguments.partFor(variables), weight.note)
    try {
      yield* part.variants.making()
    } catch {
      // It is thrown again when the part is executed.
    }
    this.#parts.set(key, { part, weight })
    return part
  }
}
