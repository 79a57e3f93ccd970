/** The way of an operation through the gateway, in order. A step that makes an answer ends it; `report` always runs. */
import type { Step } from '../step.ts'
import { authenticate } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { checkVariables } from './check-variables.ts'
import { execute } from './execute.ts'
import { limit } from './limit.ts'
import { prepare } from './prepare.ts'
import { price } from './price.ts'
import { readDocument } from './read-document.ts'
import { report } from './report.ts'

export const steps: readonly Step[] = [
  authenticate,
  readDocument,
  prepare,
  authorize,
  checkVariables,
  limit,
  price,
  execute,
  report,
]
