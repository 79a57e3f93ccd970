// The packages of other gateways belong to the benchmark, and are installed when it is first run.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const isStart = process.argv.includes('--start')
if (!isStart && !existsSync(new URL('node_modules', import.meta.url))) {
  execFileSync('npm', ['ci', '--prefix', fileURLToPath(new URL('.', import.meta.url))], { stdio: 'inherit' })
}
await import(isStart ? './start.ts' : './main.ts')
