/** The later results of an execution: fields of later delivery groups, and further pages of lists. */
import type { GraphQLError } from 'graphql'
import { append } from '../../../../shared/runtime/maps.ts'
import type { LaterItems, LaterResults } from '../../../executor/later-results.ts'

type Items = LaterItems<GraphQLError>

export class Later implements LaterResults<GraphQLError> {
  readonly #errors: GraphQLError[]
  readonly #lists = new Map<readonly unknown[], () => Promise<Items | undefined>>()
  readonly #groups = new Map<string, Promise<void>[]>()

  /** `errors` are those of the execution, which continues to add to them. */
  constructor(errors: GraphQLError[]) {
    this.#errors = errors
  }

  /** Registers a field of a delivery group. The promise must not reject. */
  addField(deliveryGroup: string, field: Promise<void>): void {
    append(this.#groups, deliveryGroup, field)
  }

  /**
   * Registers a list with more items. `next` resolves with undefined after the last ones, and rejects with an error
   * of the response.
   */
  addList(list: readonly unknown[], next: () => Promise<readonly unknown[] | undefined>): void {
    this.#lists.set(list, async () => {
      try {
        const items = await next()
        return items === undefined ? undefined : { items, errors: this.takeErrors(), failed: false }
      } catch (error) {
        return { items: [], errors: [...this.takeErrors(), error as GraphQLError], failed: true }
      }
    })
  }

  more(list: readonly unknown[]): (() => Promise<Items | undefined>) | undefined {
    return this.#lists.get(list)
  }

  async filled(deliveryGroup: string): Promise<readonly GraphQLError[]> {
    await Promise.all(this.#groups.get(deliveryGroup) ?? [])
    return this.takeErrors()
  }

  /** The errors since the last call. */
  takeErrors(): GraphQLError[] {
    return this.#errors.splice(0)
  }
}
