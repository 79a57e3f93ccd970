/** Functions of the gateway's operator. */
import { z } from 'zod'
import { integer } from '../fields.ts'

export const hooksVariables = {
  TESSERA_HOOKS: z
    .string()
    .min(1)
    .optional()
    .describe('File of hooks, in TypeScript or JavaScript ([hooks.md](hooks.md)).'),
  TESSERA_HOOKS_TIMEOUT_MS: integer(1, 600_000).default(1000).describe('The most that one hook may take.'),
} as const
