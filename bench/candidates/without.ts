/** `tessera serve` with the plain implementation of one part that exists only for speed: `node without.ts parseBody`. */

import { setServingFlags, setStartFlags } from '../../gateway/cli/v8-flags.ts'
import { readConfig } from '../../gateway/config/index.ts'
import { fastParts } from '../../gateway/fast.ts'
import { startGateway } from '../../gateway/index.ts'

const [part = ''] = process.argv.slice(2)
if (!Object.hasOwn(fastParts, part)) throw new Error(`there is no part ${part}`)
setStartFlags()
setServingFlags()
const { config, faults } = readConfig(process.env)
if (faults !== undefined) throw new Error(faults.join('\n'))
const gateway = await startGateway({ config, fast: { ...fastParts, [part]: undefined } })
console.log(`graph ${gateway.url}/graphql`)
process.on('SIGTERM', () => void gateway.stop())
