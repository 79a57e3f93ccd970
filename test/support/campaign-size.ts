/**
 * How many of the expensive tests run.
 *
 * - With `TESSERA_TEST_FULL=true`, as each night: all, with a new seed.
 * - With `CI=true`, which `.ci/run` and the workflows set: every test, and a quarter of the random cases of campaigns.
 * - Otherwise a tenth of the random cases, from the same seed, so that `npm test` takes minutes on a laptop.
 *
 * Cases that are not random always run. Unless all is drawn, the dark theme is checked on a wide screen only, and only
 * by the rules that depend on colours: nothing else differs there. Screenshots, which no test reads, are taken with
 * either variable.
 *
 * Without either variable these tests are skipped:
 *
 * - Tests that install the package from a registry, check the types of its entries by arethetypeswrong, or type-check a
 *   changed copy of the tree. They take a twentieth of the CPU time of all tests. Others check nearly the same:
 *   `image.test.ts` runs the packed package with the production packages of the lock file, `library.test.ts`
 *   type-checks what imports it, and `fifth-service.test.ts` runs what is generated.
 * - Tests that start many processes to check our own tools: the fuzzer's ends of processes, and the authorization audit
 *   of a gateway without rules. The test with 5,000 subscribers. They take another twentieth.
 */
/** Every random case is drawn, and the explorer is seen in every way. */
export const drawsAll = process.env.TESSERA_TEST_FULL === 'true'

/** Every test is run. */
export const isFull = process.env.CI === 'true' || drawsAll

/** The size of a campaign of `full` random cases in this run. */
export function campaignSize(full: number): number {
  return drawsAll ? full : Math.ceil(full / (isFull ? 4 : 10))
}

let isSaid = false

/** Vitest calls this once for the whole run and again for each project, but the message is logged once. */
export function setup(): void {
  if (isSaid || drawsAll) return
  isSaid = true
  console.info(
    isFull
      ? 'Campaigns of random cases run at a quarter of their size; TESSERA_TEST_FULL=true draws all.'
      : 'Campaigns of random cases run at a tenth of their size, the explorer is not seen dark on a narrow screen, and tests ' +
          'that install the package, type-check its entries or a copy of the tree, weigh subscribers, or try the audit and ' +
          'the fuzzer on what is faulty are skipped (package, contributing, fifth-service, live, audit, search); CI=true ' +
          'runs them, and TESSERA_TEST_FULL=true draws all cases too.',
  )
}
