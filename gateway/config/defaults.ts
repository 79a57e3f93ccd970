/**
 * Every setting, and the values if nothing is set. Both follow from the sections alone. Bundles have them as data
 * (`bin/bundling.ts`), so that a start makes only the schemas of sections in which something is set.
 */
import { z } from 'zod'
import { type AboutSetting, settingsOf } from '../settings/index.ts'
import { type Settings, sections } from './sections.ts'

interface Defaults {
  readonly settings: readonly AboutSetting[]
  readonly values: Settings
}

export const defaults: Defaults = {
  settings: settingsOf(sections).map(({ schema: _made, ...about }) => about),
  values: z.strictObject(sections).parse({}),
}
