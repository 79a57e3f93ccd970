/**
 * How long data that anybody can store remain in Redis, in seconds. With `volatile-ttl` a full Redis evicts what
 * expires first. Used DPoP proofs and the levels of rate limits therefore remain longer than needed, by the longest of
 * these times, so that they expire last.
 */

/** Persisted operations, after their last use. */
export const fillerSeconds = 300
/** What was cut off responses to agents. No filler remains longer. */
export const longestFillerSeconds = 600
