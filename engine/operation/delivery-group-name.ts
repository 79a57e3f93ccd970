/**
 * The names of delivery groups (`executor/incremental/delivery-groups.ts`). Planner and response know a group by its name
 * alone, which stands as a variable in the conditions of its fields. The name of the first response is empty.
 */

/** No client can name such a variable. */
export const deliveryGroupName = (level: number, number: number): string => `#p${level}_${number}`

export const isDeliveryGroupName = (variable: string): boolean => variable.startsWith('#')

/** The depth of a group within others. Outer groups are planned first. */
export const levelOf = (name: string): number => (name === '' ? 0 : Number.parseInt(name.slice(2), 10))
