/**
 * How much of the dear tests is run. With `CI=true`, which `.ci/run` and the workflows set, every test runs, and the
 * campaigns of random cases draw a quarter of their cases; each night's run of the
 * workflow draws all, from a new seed. Elsewhere they draw a tenth, from the same seed, so that `npm test` takes minutes
 * on a laptop. `TESSERA_TEST_FULL=true` draws all. No test has a case less that is not random. Unless all is drawn the
 * dark theme is checked on a wide screen, by the rules that depend on colours, as nothing else differs there; and
 * without either variable no screenshots are taken, which no test reads.
 *
 * Tests that install the package from a registry, check the types of its entries by arethetypeswrong, or type-check a
 * changed copy of the tree are skipped elsewhere. They take a twentieth of the CPU time of all tests, and others check
 * nearly the same: `image.test.ts` runs the packed package with the production packages of the lock file,
 * `library.test.ts` type-checks what imports it, and `fifth-service.test.ts` runs what is generated. So are those that
 * start many processes to see that our tools find what they are for (the fuzzer's ends of processes, the authorization
 * audit of a gateway without rules), and the one that weighs 5,000 subscribers: they take another twentieth.
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

/** Vitest runs it once for the whole run and again for each project: it is said once. */
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
