/** Files of authorities: those that TLS takes without an error although they hold less than they seem to. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { authoritiesFault } from '../../../shared/http/tls-files.ts'
import { makeCertificate } from '../../support/certificate.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const folder = temporaryFolder()
makeCertificate(folder, 'ca')
const [certificate, key] = ['ca.pem', 'ca.key'].map((name) => readFileSync(join(folder, name), 'utf8'))

test.each([
  ['one certificate', certificate, undefined],
  [
    'several, with words and another kind between them',
    `# ours\n${certificate}${key}\n${certificate}`,
    undefined,
  ],
  ['nothing', '', 'it has no certificate'],
  ['a key', key, 'it has no certificate'],
  ['a certificate that is cut off', certificate?.slice(0, 300), 'its certificate 1 cannot be read'],
  [
    'one that is cut off behind a whole one',
    `${certificate}${certificate?.slice(0, 300)}`,
    'its certificate 2',
  ],
])('%s', (_, pem = '', fault) => {
  if (fault === undefined) expect(authoritiesFault(pem)).toBeUndefined()
  else expect(authoritiesFault(pem)).toContain(fault)
})
