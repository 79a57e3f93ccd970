/** Checks the file of hooks by loading it, which runs it as at the start of the gateway. */
import { loadHooks } from '../../hooks/index.ts'
import { firstLineOf } from '../command.ts'
import { type Finding, look } from './finding.ts'

export function checkHooks(file: string): Promise<Finding> {
  return look(
    { subject: 'hooks', place: 'file', tried: 'loaded it' },
    async () => {
      const names = Object.keys(await loadHooks(file))
      return { said: names.length === 0 ? 'no hooks' : names.join(', ') }
    },
    (error) => ({
      said: firstLineOf(error),
      cure: 'correct the file that TESSERA_HOOKS names: docs/hooks.md',
    }),
  )
}
