/** Property-based tests draw from one seed, so that a run can be had again; another one by TESSERA_TEST_SEED. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.TESSERA_TEST_SEED ?? 20_261_120) })
