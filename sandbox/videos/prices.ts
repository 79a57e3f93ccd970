/** The units that each kind of call costs. */
export const prices = { insert: 1600, update: 50, delete: 50, insertThread: 50, list: 1 } as const
