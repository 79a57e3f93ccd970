/**
 * The sections of the file: what has more shape than one variable holds. Each is a key of the file beside the
 * variables, in lower case, and stands in a file of its own here. Scalar settings are variables.
 */
import { z } from 'zod'
import { attributesSection } from './attributes.ts'
import { cacheSection } from './cache.ts'
import { coprocessorSection } from './coprocessor.ts'
import { demandSection } from './demand.ts'
import { errorsSection } from './errors.ts'
import { headersSection } from './headers.ts'
import { httpSection } from './http.ts'
import { issuersSection } from './issuers.ts'
import { liveSection } from './live.ts'
import { logSection } from './log.ts'
import { mcpSection } from './mcp.ts'
import { rateLimitsSection } from './rate-limits.ts'
import { trafficSection } from './traffic.ts'

export const sections = {
  issuers: issuersSection,
  traffic: trafficSection,
  headers: headersSection,
  errors: errorsSection,
  http: httpSection,
  demand: demandSection,
  rateLimits: rateLimitsSection,
  coprocessor: coprocessorSection,
  cache: cacheSection,
  live: liveSection,
  log: logSection,
  attributes: attributesSection,
  mcp: mcpSection,
} as const

/** What the file says in its sections; one that is not there has its defaults. */
export type Sections = Readonly<z.output<z.ZodObject<typeof sections>>>

/** The sections of a configuration without a file. */
export const noSections: Sections = Object.freeze(z.object(sections).parse({}))
