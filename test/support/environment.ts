/**
 * Tests say themselves what gateways are configured with: a variable of the product's that is set if the tests are
 * started, for a gateway or the bench, would change what they find, or be refused as one that does not exist.
 */

/** What the tests themselves are told by. */
const isOfTests = (name: string): boolean => name.startsWith('TESSERA_TEST_')

/** Takes the product's variables out of the environment, and answers their names. */
export function takeOut(env: Record<string, string | undefined>): string[] {
  const names = Object.keys(env).filter((name) => name.startsWith('TESSERA_') && !isOfTests(name))
  for (const name of names) delete env[name]
  return names
}

/** Vitest runs it for the whole run before it starts its workers. */
export function setup(): void {
  const names = takeOut(process.env)
  if (names.length > 0) console.info(`Not passed on to the tests: ${names.join(', ')}.`)
}
