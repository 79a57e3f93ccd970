/**
 * How long persisted operations stay in Redis after their last use, in seconds. Anybody can store them, and under
 * `volatile-ttl` a Redis without room lets go of what ends first: used DPoP proofs and the levels of rate limits stay so
 * much longer than they are needed, so that they always end after any persisted operation.
 */
export const fillerSeconds = 300
