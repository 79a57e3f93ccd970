/** A shorter input with the same fault. Pieces are removed as long as the fault stays. */

export async function shrunk(
  input: Buffer,
  isSame: (shorter: Buffer) => Promise<boolean>,
  mostTries = 500,
): Promise<Buffer> {
  let least = input
  let tries = 0
  for (let piece = Math.ceil(input.length / 2); piece >= 1; piece = piece === 1 ? 0 : Math.ceil(piece / 2)) {
    for (let at = 0; at < least.length && tries < mostTries; ) {
      tries += 1
      const shorter = Buffer.concat([least.subarray(0, at), least.subarray(at + piece)])
      if (await isSame(shorter)) least = shorter
      else at += piece
    }
  }
  return least
}
