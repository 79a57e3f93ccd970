/**
 * The errors of one execution, of which only so many are made: an operation of a few kilobytes can fail at a hundred
 * thousand places, and each error costs a path, an object and a stack. The list says when it is full, before an
 * error is made, and ends with one error that says that there were more.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'

/** The most errors of one operation, the last of which stands for the rest. */
export const mostErrors = 100

export class ErrorList {
  #errors: GraphQLError[] | undefined
  #more = false

  get isEmpty(): boolean {
    return this.#errors === undefined && !this.#more
  }

  /** Whether there were more errors than are listed: a null without its error may be one of them. */
  get more(): boolean {
    return this.#more
  }

  /** Whether another error would be listed. Asking when it would not counts as one that is not. */
  hasRoom(): boolean {
    if (this.#errors === undefined || this.#errors.length < mostErrors - 1) return true
    this.#more = true
    return false
  }

  /** Adds the error, unless the list is full; ask `hasRoom` before making an error. */
  add(error: GraphQLError): void {
    if (!this.hasRoom()) return
    if (this.#errors === undefined) this.#errors = [error]
    else this.#errors.push(error)
  }

  /** Notes that somebody else left out errors. */
  addMore(): void {
    this.#more = true
  }

  /** Those that are listed, without the one that stands for the rest. */
  get listed(): readonly GraphQLError[] {
    return this.#errors ?? none
  }

  /** Puts these instead of those that are listed. */
  replace(errors: GraphQLError[]): void {
    this.#errors = errors.length === 0 ? undefined : errors
  }

  /** What is sent. */
  all(): readonly GraphQLError[] {
    if (!this.#more) return this.listed
    return [
      ...this.listed,
      tesseraError('TOO_MANY_ERRORS', `There were more errors than the ${this.listed.length} listed.`),
    ]
  }
}

const none: readonly GraphQLError[] = []
