/** Texts that the browser stores for the page. A browser may refuse to, or have no more room; the page works all the same. */
type Place = 'localStorage' | 'sessionStorage'

export function recall(place: Place, key: string): string | undefined {
  try {
    return window[place].getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Removes it if the text is undefined. Returns false if the browser stores nothing. */
export function store(place: Place, key: string, text: string | undefined): boolean {
  try {
    if (text === undefined) window[place].removeItem(key)
    else window[place].setItem(key, text)
    return true
  } catch {
    return false
  }
}
