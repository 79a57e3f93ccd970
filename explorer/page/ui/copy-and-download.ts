/** Copies a text to the clipboard, or saves it as a file. */

/** Returns false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyOldWay(text)
  }
}

/** Pages without TLS have no clipboard, unless they are on this machine. */
function copyOldWay(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  const before = document.activeElement
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}

export function download(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has started reading by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

const longestFileName = 80

/** A name that is valid in every file system. */
export const fileName = (title: string): string =>
  title
    .slice(0, longestFileName)
    .split(/[^\w-]/)
    .filter((part) => part !== '')
    .join('-') || 'untitled'
