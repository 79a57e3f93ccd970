/** A number with its noun, for messages: `1 unit`, `2 units`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
