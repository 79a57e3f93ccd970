/**
 * How long data that anybody can store remain in Redis, in seconds. With `volatile-ttl` a full Redis evicts what
 * expires first. Used DPoP proofs and the levels of rate limits therefore remain longer than needed, by the longest of
 * these times, so that they expire last.
 */

/** For persisted operations, after their last use. */
export const evictableSeconds = 300
/** What was cut off responses to agents. No evictable data remain longer. */
export const longestEvictableSeconds = 600
