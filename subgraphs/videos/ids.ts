/** Reads ids in arguments, and names lists for cursors. */
import { wrongArgument } from '../kit/wrong-argument.ts'
import type { ThreadFilter } from './client.ts'
import { isServiceId } from './model.ts'

export const idForm = '1 to 64 letters, digits, `_` and `-`'

export function checkId(id: string, at: string): string {
  if (isServiceId(id)) return id
  throw wrongArgument(at, `must be ${idForm}.`)
}

/** Ids of threads and comments are longer. That of a reply has a dot after the thread's id. */
export function checkThreadId(id: string, at: string): string {
  if (/^[A-Za-z0-9_.-]{1,128}$/.test(id) && !/^\.+$/.test(id)) return id
  throw wrongArgument(at, `must be 1 to 128 letters, digits, \`_\`, \`-\` and \`.\`.`)
}

/** How videos are shown, as parameters of a call; empty by default. */
export function viewFrom(args: {
  readonly hl?: string | null | undefined
  readonly maxHeight?: number | null | undefined
  readonly maxWidth?: number | null | undefined
}): Readonly<Record<string, string>> {
  const { hl } = args
  if (hl && !/^[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]{2,8}){0,3}$/.test(hl))
    throw wrongArgument('hl', 'must be a language of the service, such as de or es_MX.')
  const sizes = (['maxHeight', 'maxWidth'] as const).flatMap((name) => {
    const size = args[name]
    if (size === null || size === undefined) return []
    if (size < 72 || size > 8192) throw wrongArgument(name, 'must be 72 to 8192.')
    return [[name, String(size)] as const]
  })
  return { ...(hl ? { hl } : {}), ...Object.fromEntries(sizes) }
}

export function threadListName(
  by: ThreadFilter['by'],
  id: string,
  order: 'relevance' | 'time',
  searchTerms?: string,
  moderationStatus?: string,
): string {
  const more = moderationStatus === undefined ? [] : [moderationStatus]
  return `threads ${JSON.stringify([by, id, order, searchTerms ?? null, ...more])}`
}
