/** What deploy/ holds, read for tests: files, YAML documents, and settings put together as a container sees them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments, parse as parseYaml } from 'yaml'
import { type Config, readConfig } from '../../gateway/config/index.ts'
import { temporaryFile } from './temporary.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export const readDeployed = (file: string): string => readFileSync(join(root, 'deploy', file), 'utf8')

export function documentsIn(file: string): Record<string, unknown>[] {
  return parseAllDocuments(readDeployed(file)).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join('\n')}`)
    return document.toJS() as Record<string, unknown>
  })
}

/** The placeholder of a secret in the examples. */
export const placeholder = 'CHANGEME'

/** Secrets as somebody would fill them in. */
const filledIn: Readonly<Record<string, string>> = {
  TESSERA_REDIS_URL: 'redis://:a-long-password@tessera-redis:6379',
  TESSERA_VIDEOS_CREDENTIAL: 'key:abc',
  TESSERA_AGENTS_CREDENTIAL: 'bearer:abc',
  TESSERA_MESSAGES_CREDENTIAL: 'bearer:abc',
}

/** A file of secrets with each placeholder filled in. */
export function filled(secrets: string): string {
  const entries = Object.entries(parseYaml(secrets) as Record<string, string>).map(([name, value]) => [
    name,
    value === placeholder ? (filledIn[name] ?? 'x'.repeat(40)) : value,
  ])
  return JSON.stringify(Object.fromEntries(entries))
}

/** Reads the configuration that a container has: its environment, and the mounted file of its secrets. */
export function configOf(
  env: Readonly<Record<string, string>>,
  secrets: string,
): { readonly config?: Config | undefined; readonly faults?: readonly string[] | undefined } {
  const file = temporaryFile('tessera.yaml', secrets)
  return readConfig({ ...env, TESSERA_CONFIG: file })
}
