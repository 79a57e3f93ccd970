/**
 * The same function of objects, worked out once for each object and remembered for as long as that is there. The
 * last one is found by comparing: what is asked of each item of a list is asked of the same object in a row.
 */
export function onceFor<Key extends object, Value extends object | string>(
  read: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  let last: { readonly key: Key; readonly value: Value } | undefined
  return (key) => {
    if (last !== undefined && last.key === key) return last.value
    let value = known.get(key)
    if (value === undefined) {
      value = read(key)
      known.set(key, value)
    }
    last = { key, value }
    return value
  }
}
