/**
 * How many cases the dear tests over random input draw, and of how many bytes. If everything is checked (`CI=true`,
 * which `.ci/run` and the workflows set) they draw all; elsewhere a tenth, from the same seed, so that `npm test` takes
 * minutes on a laptop. `TESSERA_TEST_FULL=true` draws all there too. No test has a case less that is not random.
 * Elsewhere gateways that a test starts by the command line run within the test's process, no screenshots are taken,
 * which no test reads, and the dark theme is checked on a wide screen, by the rules that depend on colours.
 *
 * Tests that install the package from a registry, check the types of its entries by arethetypeswrong, or type-check a
 * changed copy of the tree are skipped elsewhere. They take a twentieth of the CPU time of all tests, and others check
 * nearly the same: `image.test.ts` runs the packed package with the production packages of the lock file,
 * `library.test.ts` type-checks what imports it, and `fifth-service.test.ts` runs what is generated. So are those that
 * start many processes to see that our tools find what they are for (the fuzzer's ends of processes, the authorization
 * audit of a gateway without rules), and the one that weighs 5,000 subscribers: they take another twentieth.
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
    'Campaigns of random cases run at a tenth of their size, the explorer is not seen dark on a narrow screen, and tests ' +
      'that install the package, type-check its entries or a copy of the tree, weigh subscribers, or try the audit and ' +
      'the fuzzer on what is faulty are skipped (package, contributing, fifth-service, live, audit, search); CI=true or ' +
      'TESSERA_TEST_FULL=true runs all.',
  )
}
