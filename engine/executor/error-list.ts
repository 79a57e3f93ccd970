/**
 * The errors of one execution, limited in number. An operation of a few kilobytes can fail at a hundred thousand
 * places, and each error costs a path, an object and a stack. The list says that it is full before an error is
 * created. Its last error says that there were more.
 */
import { GraphQLError } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'

/** The most errors of one response, including the last one, which says that there were more. */
export const mostErrors = 100

export class ErrorList {
  #errors: GraphQLError[] | undefined
  #more = false

  get isEmpty(): boolean {
    return this.#errors === undefined && !this.#more
  }

  /** Whether errors were omitted. A null without an error may be one of them. */
  get more(): boolean {
    return this.#more
  }

  /** Whether another error would be listed. A negative answer records that an error was omitted. */
  hasRoom(): boolean {
    if (this.#errors === undefined || this.#errors.length < mostErrors - 1) return true
    this.#more = true
    return false
  }

  /** Adds the error unless the list is full. Call `hasRoom` before creating an error. */
  add(error: GraphQLError): void {
    if (!this.hasRoom()) return
    if (this.#errors === undefined) this.#errors = [error]
    else this.#errors.push(error)
  }

  /** Records that errors were omitted elsewhere. */
  addMore(): void {
    this.#more = true
  }

  /** The listed errors, without the one that says that there were more. */
  get listed(): readonly GraphQLError[] {
    return this.#errors ?? none
  }

  replace(errors: GraphQLError[]): void {
    this.#errors = errors.length === 0 ? undefined : errors
  }

  all(): readonly GraphQLError[] {
    if (!this.#more) return this.listed
    return [
      ...this.listed,
      tesseraError('TOO_MANY_ERRORS', `There were more errors than the ${this.listed.length} listed.`),
    ]
  }
}

const none: readonly GraphQLError[] = []

/** The same error at another path. An empty path is omitted. */
export function errorAt(
  { message, extensions, originalError }: GraphQLError,
  path: readonly (string | number)[],
): GraphQLError {
  return new GraphQLError(message, {
    path: path.length === 0 ? null : [...path],
    extensions: { ...extensions },
    originalError: originalError ?? null,
  })
}
