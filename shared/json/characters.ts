/** Character codes of JSON syntax. */
export const space = 0x20
export const quote = 0x22
export const backslash = 0x5c
export const comma = 0x2c
export const colon = 0x3a
export const dot = 0x2e
export const minus = 0x2d
export const openList = 0x5b
export const closeList = 0x5d
export const openObject = 0x7b
export const closeObject = 0x7d
export const lowerE = 0x65
export const upperE = 0x45

/** 1 for bytes that may be in a string unescaped. */
export const plainInString = new Uint8Array(256).fill(1, space)
plainInString[quote] = 0
plainInString[backslash] = 0
