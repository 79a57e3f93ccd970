/** The same function of objects, worked out once for each object and remembered for as long as that is there. */
export function onceFor<Key extends object, Value extends object | string>(
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
