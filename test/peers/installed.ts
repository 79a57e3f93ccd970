/** For commands that need other people's generators: ends with what brings them if they are not there. */
import { missingPeers } from './needs.ts'

if (missingPeers.length > 0) {
  console.error(`This needs packages that are not installed (${missingPeers[0]}): npm run setup:peers`)
  process.exit(1)
}
