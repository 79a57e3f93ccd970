/** Incremental results of a fetch: the fields and items that may come later, and how they are read. */

/** Fields of an operation that may be delivered later, by response key. */
export interface LaterFields {
  /** The items of a list that must come at once. Undefined: all. */
  readonly initialCount: number | undefined
  /** The delivery group of the field. Undefined: that of its parent. */
  readonly deliveryGroup: string | undefined
  readonly below: ReadonlyMap<string, LaterFields>
}

/** The next items of a list. */
export interface LaterItems<Failure> {
  readonly items: readonly unknown[]
  readonly errors: readonly Failure[]
  /** Whether an error prevents further items. */
  readonly failed: boolean
}

/** The results that are outstanding. */
export interface LaterResults<Failure> {
  /**
   * Continues a list that does not have all of its items yet; undefined for other lists. Each call resolves with the
   * next items, and with undefined after the last ones.
   */
  more(list: readonly unknown[]): (() => Promise<LaterItems<Failure> | undefined>) | undefined
  /** Resolves with the errors when all fields of this delivery group are in the data. Does not reject. */
  filled(deliveryGroup: string): Promise<readonly Failure[]>
}

/** The same results, with their errors mapped. */
export function mapFailures<Failure, Other>(
  later: LaterResults<Failure>,
  map: (failures: readonly Failure[]) => readonly Other[],
): LaterResults<Other> {
  return {
    more(list) {
      const next = later.more(list)
      if (next === undefined) return undefined
      return async () => {
        const items = await next()
        return items && { ...items, errors: map(items.errors) }
      }
    },
    filled: async (deliveryGroup) => map(await later.filled(deliveryGroup)),
  }
}
