/** Checks the file of hooks by loading it, which runs it as at the start of the gateway. */
import { messageOf } from '../../../shared/runtime/thrown.ts'
import { loadHooks } from '../../hooks/index.ts'
import { type Finding, timed } from './finding.ts'

export async function checkHooks(file: string): Promise<Finding> {
  const [outcome, milliseconds] = await timed(async (): Promise<Pick<Finding, 'said' | 'cure'>> => {
    try {
      const names = Object.keys(await loadHooks(file))
      return { said: names.length === 0 ? 'no hooks' : names.join(', ') }
    } catch (error) {
      const [said] = messageOf(error).split('\n', 1)
      return { said: said?.slice(0, 300), cure: 'correct the file that TESSERA_HOOKS names: docs/hooks.md' }
    }
  })
  return { subject: 'hooks', place: 'file', milliseconds, tried: 'loaded it', ...outcome }
}
