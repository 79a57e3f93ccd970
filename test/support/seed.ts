/**
 * Property-based tests draw from one seed, so that a run can be had again. `TESSERA_TEST_SEED` sets another one: a
 * number, or `daily`, as in the nightly run. A seed that is not the usual one is printed.
 */
import fc from 'fast-check'

const usual = 20_261_120
const given = process.env.TESSERA_TEST_SEED ?? String(usual)
/** Another one for each day, so that it is the same in all files of a run. */
export const testSeed = given === 'daily' ? Math.floor(Date.now() / 86_400_000) : Number(given)
if (!Number.isSafeInteger(testSeed)) throw new Error('TESSERA_TEST_SEED: expected a whole number or daily')
if (testSeed !== usual) console.info(`TESSERA_TEST_SEED=${testSeed}`)

fc.configureGlobal({ seed: testSeed })
