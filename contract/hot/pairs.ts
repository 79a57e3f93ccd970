/**
 * Lists of numbers with texts, `[1795206056.5,"0.25"],[…]`, written without spaces, as time series fill megabytes with.
 *
 * The plain way is `valueEnd` (`../json/bytes.ts`), which looks at them value by value, and takes over where anything
 * is written otherwise. An answer of 2.25 MB took it 4.0 ms, and takes 2.0 with this (November 2026).
 * `npm run bench -- --only ceiling,tessera --operations Q5raw`.
 */
import { closeList, comma, dot, openList, plainInString, quote } from '../json/characters.ts'
import { runsPlainly } from './switch.ts'

/** Past the run of pairs at `at`; `at` itself where there is none. Several pairs are a run only inside a list. */
export function pairsEnd(bytes: Uint8Array, at: number, several: boolean): number {
  let end = at
  if (runsPlainly('pairs')) return end
  let i = at
  for (;;) {
    let byte = bytes[++i] as number
    if (!(byte >= 0x31 && byte <= 0x39)) return end
    do byte = bytes[++i] as number
    while (byte >= 0x30 && byte <= 0x39)
    if (byte === dot) {
      byte = bytes[++i] as number
      if (!(byte >= 0x30 && byte <= 0x39)) return end
      do byte = bytes[++i] as number
      while (byte >= 0x30 && byte <= 0x39)
    }
    if (byte !== comma || bytes[i + 1] !== quote) return end
    i += 2
    while (plainInString[bytes[i] as number] === 1) i++
    if (bytes[i] !== quote || bytes[i + 1] !== closeList) return end
    end = i + 2
    if (!several || bytes[end] !== comma || bytes[end + 1] !== openList) return end
    i = end + 1
  }
}
