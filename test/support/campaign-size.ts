/**
 * How many cases the dear tests over random input draw, and of how many bytes. Where everything is checked (`CI=true`, which `.ci/run` and the
 * workflows set) they draw all; elsewhere a tenth, from the same seed, so that `npm test` takes minutes on a laptop.
 * `TESSERA_TEST_FULL=true` draws all there too. What is tested is the same: no test is left out, and none has a case
 * less that is not random. Where all is drawn, gateways that a test starts by the command line are processes of their own
 * (otherwise they run within the test's process), and screenshots are taken, which no test reads.
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
