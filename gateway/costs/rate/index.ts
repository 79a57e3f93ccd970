/** Rate limits by caller, client, operation and cost, and the stores that keep their levels. */
export { createRateLimiter, type RatedRequest, type RateLimiter, type RateRule } from './limiter.ts'
export { createRates, type RateStore, ratesKind, type Take } from './store.ts'
