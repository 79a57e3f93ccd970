/** Any connection as one stream of its items: pages are read only as far as somebody takes items. */

interface Page<Node> {
  readonly edges: readonly { readonly node: Node }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** `read` gives the page after a cursor, or null if it failed; stop the loop, or abort the call in `read`, and no more is asked. */
export async function* itemsOf<Node>(
  read: (after: string | null) => Promise<Page<Node> | null>,
): AsyncGenerator<Node, void> {
  let after: string | null = null
  for (;;) {
    const page: Page<Node> | null = await read(after)
    if (page === null) return
    const { edges, pageInfo } = page
    for (const { node } of edges) yield node
    // A page may be short, or empty, and still have a next one: only `hasNextPage` ends the list.
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) return
    after = pageInfo.endCursor
  }
}
