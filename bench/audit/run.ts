/** `node run.ts --gateway 'COMMAND'` audits a gateway. `--list` prints the cases. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { cases } from './cases/index.ts'
import { graphs } from './graphs/index.ts'
import { audit } from './lib/audit.ts'
import { failuresOf, roadsOf, tableOf, textOf } from './lib/report.ts'

const { values } = parseArgs({
  options: {
    gateway: { type: 'string' },
    path: { type: 'string', default: '/graphql' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    'start-seconds': { type: 'string', default: '60' },
    list: { type: 'boolean', default: false },
  },
})

const chosen = cases.filter(({ id }) => id.includes(values.only))
if (values.list) {
  for (const one of chosen) console.log(textOf(one))
  console.log(`${chosen.length} cases`)
} else if (values.gateway === undefined) {
  console.error(
    "usage: node run.ts --gateway 'COMMAND with {supergraph} and {port}' [--path /graphql] [--only TEXT] [--json FILE] [--start-seconds N]\n       node run.ts --list [--only TEXT]",
  )
  process.exitCode = 2
} else {
  const outcomes = await audit({
    command: values.gateway,
    path: values.path,
    startMs: Number(values['start-seconds']) * 1000,
    graphs,
    cases: chosen,
  })
  console.log(`${tableOf(outcomes)}\n\n${roadsOf(outcomes)}`)
  const failures = failuresOf(outcomes)
  if (failures !== '') console.log(`\n${failures}`)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(outcomes, null, 2)}\n`)
  process.exitCode = outcomes.every(({ verdict }) => verdict === 'pass' || verdict === 'absent') ? 0 : 1
}
