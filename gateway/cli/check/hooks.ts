/** Checks hooks: the file of them, and the coprocessor. */
import { reasonOf } from '../../../shared/http/failure-reason.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import type { Config } from '../../config/index.ts'
import { loadHooks } from '../../hooks/index.ts'
import { firstLineOf } from '../command.ts'
import { type Answer, type Finding, look, type Outcome, placeOf, post } from './finding.ts'

/** Loads the file, which runs it as at the start of the gateway. */
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

type Coprocessor = NonNullable<Config['coprocessor']>

const version = 1

/**
 * Whether it responds and speaks the protocol. It is called as it would be before a request, but at the stage `check`,
 * at which it decides nothing.
 */
export function checkCoprocessor({ url, send, stages }: Coprocessor, timeoutMs: number): Promise<Finding> {
  const headers = Object.fromEntries(
    send.map((each) => [each.name, 'value' in each ? String(each.value) : '']),
  )
  const question = { version, stage: 'check', id: 'check', stages: Object.keys(stages) }
  return look(
    { subject: 'coprocessor', place: placeOf(url), tried: 'called it at the stage check' },
    async () => judge(await post(url, JSON.stringify(question), headers, timeoutMs)),
    (error) => ({
      said: reasonOf(error),
      cure: 'make sure that it runs and can be reached from here at coprocessor.url',
    }),
  )
}

function judge({ status, text }: Answer): Outcome {
  if (status === 401 || status === 403)
    return { said: `it answered ${status}`, cure: 'correct the credentials in coprocessor.send' }
  const warning =
    'let it respond to the stage check as docs/hooks.md says, so that this can tell whether it works'
  if (status !== 200) return { said: `it answered ${status}`, warning }
  const answer = parsedJson(text)
  if (answer === undefined)
    return {
      said: 'it returned no JSON',
      cure: 'another server responds there: compare coprocessor.url with docs/hooks.md',
    }
  const said = isObject(answer) ? answer : {}
  if (said.version !== version)
    return {
      said: 'its response lacks the version of the protocol',
      cure: `let it respond with version ${version}, as docs/hooks.md says`,
    }
  return said.control === 'continue' ? {} : { said: 'it did not say to continue', warning }
}
