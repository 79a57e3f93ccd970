/**
 * A store that speaks S3 and checks signatures and permissions: `moto_server`, with the simulation of AWS that Python
 * programs are tested with.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lastingPort } from './port.ts'
import { canTest, isOnPath } from './program-on-path.ts'
import { until } from './wait.ts'

/** The version is part of the name, as `.ci/tools` links it: another one may check other paths than S3 does. */
const program = 'moto_server-5.2.5'

export interface S3 extends AsyncDisposable {
  readonly url: string
  /** Of a user who may read the bucket. */
  readonly reader: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** Puts an object, as somebody who needs no permission. */
  put(key: string, text: string): Promise<void>
}

export const withS3 = (what: string): boolean =>
  canTest(what, program, isOnPath(program, '--help'), '.ci/tools installs it')

/** A signature that is not looked at while permissions are not checked; it names the service. */
const unchecked = (service: string): string =>
  `AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`

export async function startS3(bucket: string): Promise<S3> {
  const url = `http://127.0.0.1:${await lastingPort()}`
  const server = spawn(program, ['-H', '127.0.0.1', '-p', new URL(url).port], { stdio: 'ignore' })
  const ended = once(server, 'exit')
  await until(
    async () => {
      if (server.exitCode !== null) throw new Error('moto_server ended')
      return fetch(`${url}/moto-api/`).then(
        ({ ok }) => ok,
        () => false,
      )
    },
    'moto_server',
    50,
  )
  const send = async (path: string, service: string, init: RequestInit): Promise<string> => {
    const headers = { authorization: unchecked(service), ...init.headers }
    const response = await fetch(`${url}${path}`, { ...init, headers })
    const text = await response.text()
    if (!response.ok) throw new Error(`moto_server answered ${response.status}: ${text}`)
    return text
  }
  const iam = (parameters: Readonly<Record<string, string>>): Promise<string> =>
    send('/', 'iam', { method: 'POST', body: new URLSearchParams({ ...parameters, Version: '2010-05-08' }) })
  const checks = (isOn: boolean): Promise<string> =>
    send('/moto-api/reset-auth', 's3', { method: 'POST', body: isOn ? '0' : '1000' })

  await send(`/${bucket}`, 's3', { method: 'PUT' })
  await iam({ Action: 'CreateUser', UserName: 'reader' })
  const made = await iam({ Action: 'CreateAccessKey', UserName: 'reader' })
  const statement = { Effect: 'Allow', Action: 's3:GetObject', Resource: `arn:aws:s3:::${bucket}/*` }
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
  await iam({ Action: 'PutUserPolicy', UserName: 'reader', PolicyName: 'read', PolicyDocument })
  await checks(true)
  const valueNamed = (name: string): string => new RegExp(`<${name}>([^<]*)<`).exec(made)?.[1] ?? ''
  return {
    url,
    reader: { accessKeyId: valueNamed('AccessKeyId'), secretAccessKey: valueNamed('SecretAccessKey') },
    async put(key, text) {
      await checks(false)
      await send(`/${bucket}/${key}`, 's3', { method: 'PUT', body: text })
      await checks(true)
    },
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM')
      await ended
    },
  }
}
