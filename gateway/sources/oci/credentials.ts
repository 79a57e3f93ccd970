/**
 * The credentials for a registry, from a file in the form of `docker login` and the image pull secrets of Kubernetes.
 * It is read each time, because such credentials are replaced while a gateway runs.
 */
import { isObject, objectOf } from '../../../shared/json/is-object.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import { fileFault, readBounded } from '../../../shared/runtime/bounded-file.ts'
import { SourceFailure } from '../source.ts'

const mostBytes = 1024 * 1024
/** The name of Docker Hub in such files. */
const hubKeys = ['https://index.docker.io/v1/', 'docker.io']

/** The value of `Authorization` for a registry, by its host and port; undefined if the file does not name it. */
export async function basicFor(host: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  let text: string
  try {
    text = (await readBounded(path, mostBytes)).toString('utf8')
  } catch (error) {
    throw new SourceFailure(`TESSERA_OCI_CONFIG cannot be read: ${fileFault(error)}`)
  }
  const entries = entriesIn(text)
  const keys = [
    host,
    `https://${host}`,
    `http://${host}`,
    ...(host === 'registry-1.docker.io' ? hubKeys : []),
  ]
  const key = keys.find((each) => Object.hasOwn(entries, each))
  return key === undefined ? undefined : basicIn(entries[key])
}

function entriesIn(text: string): Readonly<Record<string, unknown>> {
  const read = parsedJson(text)
  if (isObject(read) && isObject(read.auths)) return read.auths
  // Without the parser's words, which may quote it.
  throw new SourceFailure('TESSERA_OCI_CONFIG: expected JSON with `auths`, as `docker login` writes it')
}

function basicIn(entry: unknown): string {
  const { auth, username, password } = objectOf(entry)
  if (typeof auth === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(auth)) return `Basic ${auth}`
  if (typeof username === 'string' && typeof password === 'string')
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  throw new SourceFailure(
    'TESSERA_OCI_CONFIG: the entry of the registry has neither `auth` nor `username` and `password` (credential helpers are not supported)',
  )
}
