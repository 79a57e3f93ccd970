/** An input that comes in pieces, as bytes of a connection do: its first byte says how long each of them is. */
export function piecesOf(input: Buffer): readonly Buffer[] {
  const [length = 0] = input
  const rest = input.subarray(1)
  if (length === 0) return [rest]
  return Array.from({ length: Math.ceil(rest.length / length) }, (_, at) =>
    rest.subarray(at * length, (at + 1) * length),
  )
}

/** The same for text: its lines, of which the first says what the others are for. */
export function linesOf(input: Buffer): readonly string[] {
  return input.toString('utf8').split('\n')
}
