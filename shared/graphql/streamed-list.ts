/**
 * A list whose first items a resolver has before the others, because the service returns pages. The executor tells a
 * field whether lists below it may be streamed, which is so if one has `@stream`. Otherwise resolvers return whole
 * lists.
 */
import type { GraphQLResolveInfo } from 'graphql'

export class StreamedList<Item> {
  readonly #pages: () => AsyncIterator<readonly Item[], unknown, undefined>

  /**
   * `pages` starts at the first page at each call. It returns an Error at the end if the list may lack items from
   * there on.
   */
  constructor(pages: () => AsyncIterator<readonly Item[], unknown, undefined>) {
    this.#pages = pages
  }

  pages(): AsyncIterator<readonly Item[], unknown, undefined> {
    return this.#pages()
  }

  async whole(): Promise<readonly Item[]> {
    const all: Item[] = []
    const pages = this.#pages()
    for (let page = await pages.next(); page.done !== true; page = await pages.next()) all.push(...page.value)
    return all
  }
}

const streamedMark = Symbol('streamed lists')

/** Allows lists below this field to be streamed. */
export function withStreamedLists(info: GraphQLResolveInfo): GraphQLResolveInfo {
  return { ...info, [streamedMark]: true } as GraphQLResolveInfo
}

export function acceptsStreamedLists(info: GraphQLResolveInfo): boolean {
  return streamedMark in info
}
