/** The name that was probably meant by an unknown one. */

const mostEdits = 4
/** A longer name is not compared: the work grows with its length. */
const longestName = 100

/** Words to append to a message about a name that none of `known` is; empty if none is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (name.length > longestName) return ''
  const [closest] = known
    .map((each) => ({ each, edits: editsBetween(name, each) }))
    .sort((a, b) => a.edits - b.edits)
  // A short name is similar to every other short one.
  const most = Math.min(mostEdits, Math.max(1, Math.floor(name.length / 2)))
  return closest !== undefined && closest.edits <= most ? `; did you mean ${closest.each}?` : ''
}

/** Levenshtein's distance, in which two neighbours that change places are one edit (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwapped ? (before[j - 2] ?? 0) + 1 : substitution
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution, swap))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
