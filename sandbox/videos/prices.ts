/** What the service charges, in its units. */
export const prices = { insert: 1600, update: 50, delete: 50, insertThread: 50, list: 1 } as const
