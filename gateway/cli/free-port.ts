/**
 * Chooses a port before something listens on it. The port is below the kernel's range for port 0 and for
 * connections (`ip_local_port_range`), so that no other process gets it meanwhile.
 */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const lowest = 16_384
/** The start of the kernel's range by default. */
const end = 32_768
const mostAttempts = 20

/** Throws if none of 20 ports is free. If the host is no address of this machine, listening there will report it. */
export async function freePort(host: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = randomInt(lowest, end)
    if (!(await isInUse(port, host))) return port
    if (attempt === mostAttempts) throw new Error(`no free port found from ${lowest} to ${end - 1}`)
  }
}

async function isInUse(port: number, host: string): Promise<boolean> {
  const server = createServer()
  const code = await new Promise<string | undefined>((resolve) => {
    server.once('listening', () => resolve(undefined))
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen(port, host)
  })
  if (code === undefined) await new Promise((resolve) => server.close(resolve))
  return code === 'EADDRINUSE'
}
