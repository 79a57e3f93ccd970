/**
 * Ports that are known before something listens on them, and that stay free while it does not: for a server that comes
 * back on its port after a crash, and for addresses at which nothing listens. They are taken from below the kernel's
 * range for port 0 and for connections (`ip_local_port_range`), so that no other test is given one in between.
 */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const lowest = 16_384
/** The kernel's range begins here, unless it is configured otherwise. */
const end = 32_768

export async function lastingPort(): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = randomInt(lowest, end)
    if (await isFree(port)) return port
    if (attempt === 20) throw new Error(`no free port found from ${lowest} to ${end - 1}`)
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false))
    server.listen(port, '127.0.0.1')
  })
  if (isListening) await new Promise((resolve) => server.close(resolve))
  return isListening
}
