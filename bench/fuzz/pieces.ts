/** An input that arrives in pieces, like the bytes of a connection. Its first byte is the length of each piece. */
export function piecesOf(input: Buffer): readonly Buffer[] {
  const [length = 0] = input
  const rest = input.subarray(1)
  if (length === 0) return [rest]
  return Array.from({ length: Math.ceil(rest.length / length) }, (_, at) =>
    rest.subarray(at * length, (at + 1) * length),
  )
}

/** The same for text: its lines, the first of which says what the others are for. */
export function linesOf(input: Buffer): readonly string[] {
  return input.toString('utf8').split('\n')
}
