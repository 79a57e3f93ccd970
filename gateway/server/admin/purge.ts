/** The content of a purge request, read and bounded. */
import { z } from 'zod'
import { parsedJson } from '../../../shared/json/parsed.ts'
import type { Purge } from '../../response-cache/index.ts'

const mostOfEach = 1000
const names = z.array(z.string().min(1).max(1000)).max(mostOfEach).optional()
const scalar = z.union([z.string().max(1000), z.number(), z.boolean()])

const purge = z.strictObject({
  tags: names,
  subgraphs: names,
  types: names,
  objects: z
    .array(
      z.strictObject({
        type: z.string().min(1).max(1000),
        key: z
          .record(z.string().min(1).max(200), z.union([scalar, z.record(z.string().max(200), scalar)]))
          .refine((key) => Object.keys(key).length > 0 && Object.keys(key).length <= 20),
      }),
    )
    .max(mostOfEach)
    .optional(),
})

const expected =
  'expected JSON such as {"tags":["sale"],"subgraphs":["products"],"types":["Product"],"objects":[{"type":"Product","key":{"id":"1"}}]}, with at least one entry and at most 1000 in each list'

export function readPurge(body: string): { readonly purge: Purge } | { readonly fault: string } {
  const read = purge.safeParse(parsedJson(body))
  if (!read.success) return { fault: expected }
  const isEmpty = Object.values(read.data).every((list) => list === undefined || list.length === 0)
  return isEmpty ? { fault: expected } : { purge: read.data }
}
