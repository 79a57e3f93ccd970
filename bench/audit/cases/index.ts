/** All cases. */
import type { Case } from '../lib/types.ts'
import { abstractCases } from './abstract.ts'
import { aliasCases } from './alias.ts'
import { cacheCases } from './caches.ts'
import { fragmentCases } from './fragment.ts'
import { introspectionCases } from './introspection.ts'
import { mutationCases } from './mutations.ts'
import { oracleCases } from './oracle.ts'
import { prototypeCases } from './prototype.ts'
import { renamedCases } from './renamed.ts'
import { requiresCases } from './requires.ts'

export const cases: readonly Case[] = [
  ...aliasCases,
  ...fragmentCases,
  ...abstractCases,
  ...requiresCases,
  ...renamedCases,
  ...cacheCases,
  ...mutationCases,
  ...introspectionCases,
  ...prototypeCases,
  ...oracleCases,
]
