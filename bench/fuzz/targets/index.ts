/** All targets. */
import type { Target } from '../target.ts'
import { targets as authorities } from './authorities.ts'
import { targets as configuration } from './configuration.ts'
import { targets as documents } from './documents.ts'
import { targets as expressions } from './expressions.ts'
import { targets as frames } from './frames.ts'
import { targets as headers } from './headers.ts'
import { targets as identifiers } from './identifiers.ts'
import { targets as json } from './json.ts'
import { targets as remote } from './remote.ts'
import { targets as servers } from './servers.ts'
import { targets as services } from './services.ts'
import { targets as sources } from './sources.ts'
import { targets as tokens } from './tokens.ts'

export const targets: readonly Target[] = [
  ...json,
  ...identifiers,
  ...headers,
  ...tokens,
  ...documents,
  ...frames,
  ...remote,
  ...authorities,
  ...servers,
  ...services,
  ...sources,
  ...configuration,
  ...expressions,
]
