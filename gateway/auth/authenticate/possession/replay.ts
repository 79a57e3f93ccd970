/**
 * The used DPoP proofs: in this process, or in Redis for all replicas. If Redis is away a process knows only its own. A
 * full memory accepts no more proofs, because a proof that was forgotten early could be used again.
 */
import { tesseraError } from '../../../../shared/errors.ts'
import { type Kind, longestFillerSeconds, type Step, type Stores } from '../../../stores/index.ts'

export type ProofMemory = ReturnType<typeof createProofMemory>

interface ProofMemoryOptions {
  readonly now?: (() => number) | undefined
  /** The most ids at a time in this process; some 100 bytes each. 200,000. */
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
   * When each id may be forgotten; in that order, because all are kept equally long. The clock is the one with which the
   * times of proofs are compared: if it is set back, old proofs are accepted again, and their ids must still be known.
   */
  readonly ends: Map<string, number>
  readonly most: number
  readonly now: () => number
}

const takeStep: Step<Used, { readonly id: string; readonly ms: number }, boolean> = {
  memory({ ends, most, now }, { id, ms }) {
    const at = now()
    for (const [old, end] of ends) {
      if (end > at) break
      ends.delete(old)
    }
    if (ends.has(id)) return false
    if (ends.size >= most)
      throw tesseraError('SERVICE_BUSY', 'Too many DPoP proofs arrive to be remembered.', {
        retryAfter: 10,
      })
    ends.set(id, at + ms)
    return true
  },
  redis: {
    command: 'set',
    keys: ({ id }) => [`tessera:dpop:${id}`],
    args: ({ ms }) => ['1', 'PX', ms + longestFillerSeconds * 1000, 'NX'],
    read: (reply) => reply === 'OK',
  },
}

export const proofsKind = ({ now = Date.now, most = 200_000 }: ProofMemoryOptions = {}): Kind<Used> => ({
  feature: 'DPoP proofs',
  away: 'the shared DPoP proofs are unreachable: each process knows only its own until they are back',
  back: 'the shared DPoP proofs are back',
  memory: () => ({ ends: new Map(), most, now }),
  keys: ['tessera:dpop:*'],
  steps: [takeStep],
  attempt: (run, id) => run(takeStep, { id, ms: 1000 }),
})
