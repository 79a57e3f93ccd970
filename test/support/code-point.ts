import fc from 'fast-check'

const [firstSurrogate, surrogates, all] = [0xd800, 0x800, 0x110000]

/** Any character but a lone surrogate. `unit: 'binary'` draws the same, and takes half a second to be made. */
export const codePoint = fc
  .nat(all - surrogates - 1)
  .map((index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates))
