/** What a tool has answered, as the protocol has it. */
import type { ToolAnswer } from '../tools/tool.ts'

export function resultOf({ text, isError, strangers, structured }: ToolAnswer) {
  return {
    content: [{ type: 'text' as const, text }],
    ...(isError === true ? { isError } : {}),
    ...(structured === undefined ? {} : { structuredContent: { ...structured } }),
    ...metaOf(strangers),
  }
}

export const metaOf = (strangers: ToolAnswer['strangers']) =>
  strangers === undefined ? {} : { _meta: { 'tessera/strangers': [...strangers] } }
