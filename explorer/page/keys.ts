/** The keys that run an operation, as this machine's keyboard names them. */
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

export const runKeys = isMac ? '⌘ Enter' : 'Ctrl Enter'
