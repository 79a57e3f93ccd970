/** With TESSERA_PLAIN=true tests run without what exists only for speed, also where no option reaches it. */
import { runPlainly } from '../../contract/hot/switch.ts'

if (process.env.TESSERA_PLAIN === 'true') runPlainly()
