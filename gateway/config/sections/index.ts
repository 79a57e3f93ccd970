/**
 * The sections of the file, for everything that does not fit one variable. Each is a lower-case key of the file, and
 * has a file here. Scalar settings are variables.
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

/** The sections of a file; a missing one has its defaults. */
export type Sections = Readonly<z.output<z.ZodObject<typeof sections>>>

/** The sections of a configuration without a file. */
export const noSections: Sections = Object.freeze(z.object(sections).parse({}))
