/**
 * How long what anybody can store stays in Redis, in seconds. Under `volatile-ttl` a Redis without room lets go of what
 * ends first. Used DPoP proofs and the levels of rate limits therefore stay longer than they are needed, by the longest of
 * these times, so that they end after all of it.
 */

/** Persisted operations, after their last use. */
export const fillerSeconds = 300
/** What was cut off of answers to agents. No filler stays longer. */
export const longestFillerSeconds = 600
