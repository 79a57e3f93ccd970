/**
 * Examples for the sandbox's sample data (`schema/explorer/sandbox.graphql`). Each can be run unchanged and returns
 * data. A test runs all of them.
 */
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import type { Example } from './example.ts'
import { type FiledOperation, readOperationFile } from './operation-file.ts'

let filed: readonly FiledOperation[] | undefined

/** `now` is in milliseconds since 1970, for time ranges that end now. */
export function sandboxExamples(now: number): readonly Example[] {
  filed ??= readOperationFile(readSchemaFile('explorer/sandbox'))
  return filed.map(({ title = '', note = '', scopes, variables, document }) => ({
    id: idOf(title),
    title,
    note,
    document,
    variables: variablesAt(variables, now),
    ...(scopes.length === 0 ? {} : { scopes }),
  }))
}

/** `A refused field`: `a-refused-field`. */
const idOf = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Replaces times that the file writes as `now` or `now-6h` by Unix seconds. */
function variablesAt(text: string, now: number): Readonly<Record<string, unknown>> {
  const variables = JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>
  for (const [name, value] of Object.entries(variables)) {
    const [isTime, amount = '0', unit = 's'] = /^now(?:-(\d+)([smhd]))?$/.exec(String(value)) ?? []
    if (isTime !== undefined)
      variables[name] = Math.floor(now / 1000) - Number(amount) * (secondsOf[unit] ?? 1)
  }
  return variables
}
