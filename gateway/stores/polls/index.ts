/** Pollers of several gateways that work as one. */
export { createLiveStore } from './live-store.ts'
export { liveKind } from './steps.ts'
