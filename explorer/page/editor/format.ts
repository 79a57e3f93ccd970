/** Formats GraphQL by Prettier, which keeps comments and is loaded when it is first used. */

/** Rejects if the text is not valid GraphQL. */
export async function formatGraphql(text: string): Promise<string> {
  const [{ format }, graphql] = await Promise.all([
    import('prettier/standalone'),
    import('prettier/plugins/graphql'),
  ])
  return format(text, { parser: 'graphql', plugins: [graphql] })
}
