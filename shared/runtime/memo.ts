/** Memoizes a function of an object for as long as the object lives. */
export function memoByObject<Key extends object, Value extends object | string>(
  read: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) {
      value = read(key)
      known.set(key, value)
    }
    return value
  }
}
