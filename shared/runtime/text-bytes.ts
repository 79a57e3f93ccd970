/** What a text takes in the heap: two bytes a character if one of them does not fit into one. */
export const textBytes = (text: string): number => (/[^\0-\xff]/.test(text) ? 2 : 1) * text.length
