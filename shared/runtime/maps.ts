/** Maps whose values are made, or extended, when their key is first met. */

interface MapOf<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** The value under the key. It is made if there is none. */
export function getOrInsert<Key, Value extends {}>(
  map: MapOf<Key, Value>,
  key: Key,
  make: (key: Key) => NoInfer<Value>,
): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make(key)
  map.set(key, made)
  return made
}

/** Adds the item to the list under the key. */
export function append<Key, Item>(lists: MapOf<Key, Item[]>, key: Key, item: Item): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [item])
  else known.push(item)
}
