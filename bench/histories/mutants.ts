/**
 * Faults in the product itself: each replaces one piece of its source in the gateways of a history. The checker
 * must find every one of them. Otherwise it would not find such a fault in a real change.
 */
import type { FaultName } from './nemesis.ts'

export interface Mutant {
  readonly name: string
  /** What the gateways do wrong. */
  readonly what: string
  /** The path in the repository. */
  readonly file: string
  /** The original piece, which occurs once. */
  readonly from: string
  readonly to: string
  /** The kinds of faults with which it shows; empty if it shows without any. */
  readonly kinds: readonly FaultName[]
  /** What the checker then reports. */
  readonly finds: RegExp
}

const redisLedger = 'gateway/costs/quota/redis-ledger'

export const mutants: readonly Mutant[] = [
  {
    name: 'lost-settlement',
    what: 'one settlement of five is lost',
    file: `${redisLedger}/index.ts`,
    from: '    this.#local.settle(account, id, spent)\n',
    to: '    this.#local.settle(account, id, Math.random() < 0.8 ? spent : {})\n',
    kinds: [],
    finds: /the ledger misses \d+ of|what the ledger said was never so/,
  },
  {
    name: 'double-promise',
    what: 'what is promised to others is promised again',
    file: `${redisLedger}/steps.ts`,
    from: "reserved = reserved + tonumber(string.match(entry, '^(%d+)'))",
    to: "reserved = reserved + 0 * tonumber(string.match(entry, '^(%d+)'))",
    kinds: [],
    finds: /over the limit/,
  },
  {
    name: 'repeated-write',
    what: 'a write whose answer was lost is sent again, as a read is',
    file: 'subgraphs/kit/rest-client/call.ts',
    from: 'return call.safe && failure.retry ? ',
    to: 'return failure.code !== undefined ? ',
    kinds: ['service-lost-answers'],
    finds: /(acknowledged|of unknown outcome), and is there [2-9] times/,
  },
  {
    name: 'forgotten-outcome',
    what: 'what was done under an idempotency key is not kept',
    file: 'gateway/pipeline/idempotency/slot.ts',
    from: 'outcome === undefined ? others : { ...others, [field]: outcome }',
    to: '(begun.delete(field), others)',
    kinds: ['client-lost-answers'],
    finds: /(acknowledged|of unknown outcome), and is there [2-9] times/,
  },
  {
    name: 'blind-repeat',
    what: 'a repeat of a write of unknown outcome writes, and does not find out',
    file: 'subgraphs/kit/write-once.ts',
    from: 'if (earlierAttempt === undefined) return write()',
    to: 'if (earlierAttempt !== null) return write()',
    kinds: ['service-lost-answers'],
    finds: /(acknowledged|of unknown outcome), and is there [2-9] times/,
  },
  {
    name: 'open-tap',
    what: 'calls go on although the service has said that nothing is left',
    file: 'gateway/costs/quota/quota.ts',
    from: 'if (of !== this.#options.service || !spentReasons.has(reason)) return',
    to: 'if (of !== undefined) return',
    kinds: ['service-quota'],
    finds: /were charged although the service had said/,
  },
  {
    name: 'own-clock',
    what: 'each gateway counts days by its own clock',
    file: 'gateway/costs/quota/quota.ts',
    from: 'ledger.now?.() ?? Date.now()',
    to: 'Date.now()',
    kinds: ['clock-jump'],
    finds: /refusals name \d+ ends of the day|the ledger misses|over the limit/,
  },
]

/** The source with the mutant's piece. Throws if the product has changed and the mutant has not. */
export function mutated({ name, file, from, to }: Mutant, source: string): string {
  const [before, after, ...more] = source.split(from)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`the mutant ${name} expects once in ${file}: ${from.trim()}`)
  return before + to + after
}
