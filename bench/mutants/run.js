// Stryker belongs to this folder's own packages, which are installed when it is first run.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

if (!existsSync(new URL('node_modules', import.meta.url))) {
  execFileSync('npm', ['ci', '--prefix', fileURLToPath(new URL('.', import.meta.url))], { stdio: 'inherit' })
}
await import('./main.js')
