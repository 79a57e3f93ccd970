/**
 * The used DPoP proofs: in this process, or in Redis for all replicas. If Redis is away a process knows only its own. A
 * full memory accepts no more proofs, because a proof that was forgotten early could be used again.
 */
import { tesseraError } from '../../../../shared/errors.ts'
import { getOrInsert } from '../../../../shared/runtime/maps.ts'
import { type Kind, longestEvictableSeconds, type Step, type Stores } from '../../../stores/index.ts'

export type ProofMemory = ReturnType<typeof createProofMemory>

interface ProofMemoryOptions {
  readonly now?: (() => number) | undefined
  /** The most ids at a time in this process; some 100 bytes each. 200,000 by default. */
  readonly most?: number | undefined
}

export function createProofMemory(stores: Stores, options: ProofMemoryOptions = {}) {
  const store = stores.open(proofsKind(options))
  return {
    /** Whether the id is new; it is remembered for `ms`. */
    take(id: string, ms: number): boolean | Promise<boolean> {
      const proof = { id, ms }
      const isNew = takeStep.memory(store.here, proof)
      if (!isNew || !store.isShared) return isNew
      return store.share(takeStep, proof).then((isNewToAll) => isNewToAll ?? true)
    },
    close: () => store.close(),
  }
}

interface Used {
  /**
   * The ids by the time from which they may be forgotten. The clock is the one with which the times of proofs are
   * compared: if it is set back, old proofs are accepted again, and their ids must still be known. Then earlier times
   * may follow later ones.
   */
  readonly ids: Map<number, Set<string>>
  readonly most: number
  readonly now: () => number
}

/** All ids whose time is within one interval of this length are forgotten together. */
const stepMs = 10_000

const takeStep: Step<Used, { readonly id: string; readonly ms: number }, boolean> = {
  memory({ ids, most, now }, { id, ms }) {
    const at = now()
    let size = 0
    for (const [end, those] of ids) {
      if (end <= at) ids.delete(end)
      else if (those.has(id)) return false
      else size += those.size
    }
    if (size >= most)
      throw tesseraError('SERVICE_BUSY', 'Too many DPoP proofs arrive to be remembered.', {
        retryAfter: 10,
      })
    getOrInsert(ids, Math.ceil((at + ms) / stepMs) * stepMs, () => new Set()).add(id)
    return true
  },
  redis: {
    command: 'set',
    keys: ({ id }) => [`tessera:dpop:${id}`],
    args: ({ ms }) => ['1', 'PX', ms + longestEvictableSeconds * 1000, 'NX'],
    read: (reply) => reply === 'OK',
  },
}

export const proofsKind = ({ now = Date.now, most = 200_000 }: ProofMemoryOptions = {}): Kind<Used> => ({
  feature: 'DPoP proofs',
  away: 'the shared DPoP proofs are unreachable: each process knows only its own until they are back',
  back: 'the shared DPoP proofs are back',
  memory: () => ({ ids: new Map(), most, now }),
  keys: ['tessera:dpop:*'],
  steps: [takeStep],
  attempt: (run, id) => run(takeStep, { id, ms: 1000 }),
})
