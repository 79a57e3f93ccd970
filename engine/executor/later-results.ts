/** Fields and items of a fetch that come after the rest of its answer: what may, and what then does. */

/** Fields of an operation that may be answered after the others, by response key. */
export interface LaterFields {
  /** Of a list: how many of its items must come at once; undefined: all. */
  readonly initialCount: number | undefined
  /** The part of the client's operation that the field is for; undefined: that of what is around it. */
  readonly deliveryGroup: string | undefined
  readonly below: ReadonlyMap<string, LaterFields>
}

/** Items of a list that follow those that came before. */
export interface LaterItems<Failure> {
  readonly items: readonly unknown[]
  readonly errors: readonly Failure[]
  /** Whether no more can come, because of an error. */
  readonly failed: boolean
}

/** What a result does not hold yet. */
export interface LaterResults<Failure> {
  /**
   * Reads on in a list of the data that does not have all of its items; undefined for other lists. Each call gives the
   * next items, as soon as they are there, and undefined after the last ones.
   */
  more(list: readonly unknown[]): (() => Promise<LaterItems<Failure> | undefined>) | undefined
  /** Resolves when all fields of this part stand in the data, with what failed. Does not reject. */
  filled(deliveryGroup: string): Promise<readonly Failure[]>
}

/** The same, with its errors turned into others, or taken away, when they come. */
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
