/** Whether the value is a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether it is a plain object, and not an instance of a class such as `ExactNumber`. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The object; one without members if the value is none. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

/** The texts of a list; none if the value is no list. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
