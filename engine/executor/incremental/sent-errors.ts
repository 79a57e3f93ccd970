/**
 * Decides with which payload each error is sent: with that of its delivery group or list, or with the next payload if
 * that one was sent already or never will be. Each error is sent once, and every lost fragment or list has one.
 */
import { GraphQLError } from 'graphql'
import type { ResponseShape } from '../../response/index.ts'
import type { ErrorList } from '../error-list.ts'
import { nullWithin, valueAt } from '../errors.ts'
import type { Path } from './execution-updates.ts'

export class SentErrors {
  readonly #errors: ErrorList
  readonly #shape: ResponseShape
  readonly #sent = new Set<GraphQLError>()
  readonly #finished = new Set<string>()
  #isMoreSent = false

  constructor(errors: ErrorList, shape: ResponseShape) {
    this.#errors = errors
    this.#shape = shape
  }

  /** The errors of a new payload, and those that came too late for theirs. `isLast`: no more payloads follow for it. */
  made(name: string, path: Path, value: unknown, isLast = true): readonly GraphQLError[] {
    const own = keyOf(name, path)
    if (isLast) this.#finished.add(own)
    return this.#take((error) => {
      const owner = error.path === undefined ? undefined : this.#shape.ownerOf(error.path)
      const of = owner === undefined ? undefined : keyOf(owner.name, owner.path)
      if (owner === undefined || of === undefined || of === own || this.#finished.has(of)) return true
      // A null has taken its own place. A place that is merely absent comes with another payload.
      const isWithin = path.every((step, index) => owner.path[index] === step)
      return isWithin && nullWithin(value, error.path?.slice(path.length) ?? []) !== undefined
    })
  }

  /**
   * The errors for a completion at this path. Clients know a loss by its errors alone, so an error may be sent again.
   */
  reasons(own: readonly GraphQLError[], path: Path): readonly GraphQLError[] {
    if (own.length > 0) return own
    const isBelow = (error: GraphQLError): boolean => path.every((step, at) => error.path?.[at] === step)
    const late = this.#take(isBelow)
    if (late.length > 0) return late
    const [known] = this.#errors.listed.filter(isBelow)
    const unknown = 'This data was lost, because a non-null field in it is null.'
    return [known ?? new GraphQLError(unknown, { path, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } })]
  }

  /** The errors that were not sent. */
  rest(): readonly GraphQLError[] {
    return this.#take(() => true)
  }

  #take(which: (error: GraphQLError) => boolean): readonly GraphQLError[] {
    const found = this.#errors.listed.filter((error) => !this.#sent.has(error) && which(error))
    for (const error of found) this.#sent.add(error)
    if (!this.#errors.more || this.#isMoreSent) return found
    this.#isMoreSent = true
    return [...found, ...this.#errors.all().slice(-1)]
  }
}

const keyOf = (name: string, path: Path): string => JSON.stringify([name, path])

/** Whether there is a value at the path. */
export const stands = (value: unknown, path: Path): boolean => path.reduce(valueAt, value) != null
