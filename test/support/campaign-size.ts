/**
 * How many cases the dear tests over random input draw, and of how many bytes. Where everything is checked (`CI=true`,
 * which `.ci/run` and the workflows set) they draw all; elsewhere a tenth, from the same seed, so that `npm test` takes
 * minutes on a laptop. `TESSERA_TEST_FULL=true` draws all there too. No test is left out, and none has a case less that
 * is not random. Elsewhere gateways that a test starts by the command line run within the test's process, no screenshots
 * are taken, which no test reads, the dark theme is checked by the rules that depend on colours, and the worked examples
 * of CONTRIBUTING.md by the types of the sources.
 */
export const isFull = process.env.CI === 'true' || process.env.TESSERA_TEST_FULL === 'true'

/** The size of a campaign of `full` random cases in this run. */
export function campaignSize(full: number): number {
  return isFull ? full : Math.ceil(full / 10)
}

let isSaid = false

/** Vitest runs it once for the whole run and again for each project: it is said once. */
export function setup(): void {
  if (isSaid || isFull) return
  isSaid = true
  console.info(
    'Campaigns of random cases run at a tenth of their size; CI=true or TESSERA_TEST_FULL=true runs all.',
  )
}
