/** With TESSERA_PLAIN tests run without what exists only for speed, also where no option reaches it. */
import { readPlain, runPlainly } from '../../contract/hot/switch.ts'

runPlainly(readPlain(process.env.TESSERA_PLAIN))
