/** The graphs of the cases. */
import type { Graph } from '../lib/types.ts'
import { bank } from './bank.ts'
import { shop } from './shop.ts'
import { stock } from './stock.ts'
import { zoo } from './zoo.ts'

export const graphs: readonly Graph[] = [shop, zoo, stock, bank]
