/**
 * From which execution of an operation on each of the ways that exist only for speed (`hot/`) is worth what it costs
 * to prepare. With `plain` none of them is used.
 */

/** Code that writes the response's JSON (`respond/hot/writer.ts`). */
export const writtenAfter = 2
/** Code for the fetches of a subgraph in this process (`transport/hot/compiled`). */
export const compiledAfter = 3
/** Code that looks over the bytes of a remote subgraph's response (`respond/hot/checker.ts`). */
export const passedThroughAfter = 16
