/**
 * Which code that exists only for speed this process does without: all of it, or what is named. It is decided once, by
 * the command line or by a test's setup, before anything else runs: some of these functions lie below every option that
 * could be handed to them.
 */

/** What can be switched off: the files and folders of every `hot/`, by their names. */
export const hotNames = ['checker', 'compiled', 'parse-body', 'parse-parts', 'serving', 'writer'] as const
export type HotName = (typeof hotNames)[number]

/** What the variable TESSERA_PLAIN asks for. What it should not say is reported where the configuration is read. */
export function readPlain(text = ''): readonly HotName[] {
  if (['true', '1', 'on'].includes(text)) return hotNames
  const names = new Set(text.split(',').map((name) => name.trim()))
  return hotNames.filter((name) => names.has(name))
}

let plain: ReadonlySet<HotName> = new Set()

/** From now on these take their plain ways; all of them unless they are named. */
export function runPlainly(names: readonly HotName[] = hotNames): void {
  plain = new Set(names)
}

export function runsPlainly(name: HotName): boolean {
  return plain.has(name)
}
