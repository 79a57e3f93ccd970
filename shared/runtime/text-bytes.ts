/** The heap bytes of a string: two for each character if one of them is beyond Latin-1. */
export const textBytes = (text: string): number => (/[^\0-\xff]/.test(text) ? 2 : 1) * text.length
