/**
 * A list of which a resolver knows the first items before the others: the pages of a service. Who executes the
 * operation says of a field whether lists below it may be answered so (`@stream` stands on one of them); otherwise a
 * resolver answers them whole.
 */
import type { GraphQLResolveInfo } from 'graphql'

export class ContinuedList<Item> {
  readonly #pages: () => AsyncIterator<readonly Item[], unknown, undefined>

  /**
   * `pages` begins again at the first page each time that it is called. What it returns at the end is an Error if the
   * list may lack items from there on.
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

const takes = Symbol('takes continued lists')

/** Says that lists below this field may be answered as continued ones. */
export function withContinuedLists(info: GraphQLResolveInfo): GraphQLResolveInfo {
  return { ...info, [takes]: true } as GraphQLResolveInfo
}

export function takesContinuedLists(info: GraphQLResolveInfo): boolean {
  return takes in info
}
