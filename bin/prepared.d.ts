export function preparedBundle(root: string): string | undefined
