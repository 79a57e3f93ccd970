/**
 * Ports that are known before something listens on them, and that stay free while it does not: for a server that comes
 * back on its port after a crash, and for addresses at which nothing listens.
 */
import { freePort } from '../../gateway/cli/free-port.ts'

export const lastingPort = (): Promise<number> => freePort('127.0.0.1')
