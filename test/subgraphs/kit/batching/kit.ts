/** Lookups of bits, for tests of batching. */
import { createLookUps } from '../../../../subgraphs/kit/batching/index.ts'

export interface Found {
  readonly id: string
  readonly needs: number
}

/** Lookups whose needs are bits: ids that begin with `n` do not exist, with `e` fail, with `x` fail their whole call. */
export function bits({ share = false, maxIds = 3 } = {}) {
  const calls: { ids: readonly string[]; needs: number }[] = []
  const lookUps = createLookUps<number, ReadonlyMap<string, Found>, Found>({
    share,
    maxIds,
    async fetch(ids, needs) {
      calls.push({ ids, needs })
      if (ids.some((id) => id.startsWith('x'))) throw new Error('the call failed')
      return new Map(ids.map((id) => [id, { id, needs }]))
    },
    pick: (id, answer) =>
      id.startsWith('e')
        ? new Error(`no ${id} for you`)
        : id.startsWith('n')
          ? null
          : (answer.get(id) ?? null),
    unite: (some, others) => some | others,
    covers: (fetched, wanted) => (fetched & wanted) === wanted,
  })
  return { lookUps, calls }
}

/** The value, or the error as one. */
export const settledOf = <Value>(promise: Promise<Value>): Promise<Value | Error> =>
  promise.catch((error: Error) => error)
