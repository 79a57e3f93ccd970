/** Checks each service that this configuration calls itself: whether it responds, and accepts the credential. */
import { type ExecutionResult, execute, GraphQLError, parse } from 'graphql'
import { createGatewayRequest } from '../../../engine/request.ts'
import { knownReasonOf } from '../../../shared/http/failure-reason.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import { valueAt } from '../../../shared/json/value-at.ts'
import type { UpstreamEvent } from '../../../shared/upstream.ts'
import { type ServiceName, serviceNamed, serviceNames } from '../../../subgraphs/index.ts'
import type { Probe } from '../../../subgraphs/kit/service.ts'
import type { Config } from '../../config/index.ts'
import { quotaFrom } from '../../costs/from-config.ts'
import { memoryStores } from '../../stores/index.ts'
import { createLogger } from '../../telemetry/log.ts'
import { localSubgraph } from '../../transports/local-subgraph.ts'
import { startServices } from '../services.ts'
import { type Finding, look, type Outcome, placeOf } from './finding.ts'

const unreachable: ReadonlySet<unknown> = new Set(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT'])
const unaccepted: ReadonlySet<unknown> = new Set(['UNAUTHENTICATED', 'FORBIDDEN'])

export async function checkServices(config: Config): Promise<Finding[]> {
  const called = serviceNames.filter((name) => config.subgraph.urls[name] === undefined)
  const services = await startServices(config, called)
  const ask = (service: ServiceName, quota: ReturnType<typeof quotaFrom>): Promise<Finding> => {
    let call: UpstreamEvent | undefined
    const subgraph = localSubgraph(service, {
      config,
      serviceUrls: services.urls,
      publicUrl: () => '',
      observe(event) {
        call = event
      },
      quota: quota.snapshot,
    })
    const request = createGatewayRequest({
      id: 'check',
      deadline: performance.now() + config.calls.upstreamTimeoutMs,
      header: () => undefined,
    })
    const { probe } = serviceNamed(service)
    const { url } = config.services[service]
    const about = {
      subject: service,
      place: url === undefined ? 'sandbox' : placeOf(url),
      tried: `asked for ${probe.what}`,
    }
    return look(about, async () => {
      const result = await execute({
        schema: subgraph.schema,
        document: parse(probe.operation),
        contextValue: subgraph.createContext(request),
      })
      return judged(service, config, probe, result, call)
    }).finally(() => subgraph.close())
  }
  let quota: ReturnType<typeof quotaFrom> | undefined
  try {
    // It throws if a credentials file cannot be used. The sandbox must not keep the process alive in that case.
    const opened = quotaFrom(config, { stores: memoryStores, log: createLogger({ level: 'silent' }) })
    quota = opened
    return await Promise.all(called.map((service) => ask(service, opened)))
  } finally {
    await services.close()
    await quota?.close()
  }
}

function versionIn(data: ExecutionResult['data'], keys: readonly string[] = []): string | undefined {
  const value = valueAt(data, keys)
  return typeof value === 'string' ? `version ${value}` : undefined
}

/** The reason from the network, if there is one: connection refused, unknown host, TLS. */
function whyIn(error: GraphQLError): string {
  const beneath = (at: Error): unknown =>
    at.cause ?? (at instanceof GraphQLError ? at.originalError : undefined)
  for (let at: unknown = error; at instanceof Error; at = beneath(at)) {
    const why = knownReasonOf(at)
    if (why !== undefined) return ` (${why})`
  }
  return ''
}

function judged(
  service: ServiceName,
  config: Config,
  probe: Probe,
  { data, errors: [error] = [] }: ExecutionResult,
  call: UpstreamEvent | undefined,
): Outcome {
  const variable = `TESSERA_${service.toUpperCase()}`
  const elsewhere = `another server responds there: compare ${variable}_URL with docs/services.md`
  // A service names what it does not have. Other servers only say that there is no such address.
  if (call?.code === 'NOT_FOUND' && call.reason === undefined)
    return { said: 'it has no such address', cure: elsewhere }
  if (error === undefined) return { said: versionIn(data, probe.versionAt) }
  const { code, upstream } = error.extensions
  const isRefused = isObject(upstream) && upstream.reason === 'credentialRefused'
  const said = error.message
  if (unreachable.has(code) && !isRefused)
    return {
      said: `${said}${whyIn(error)}`,
      cure: `make sure that it runs and can be reached from here at ${variable}_URL`,
    }
  if (code === 'UPSTREAM_BAD_RESPONSE') return { said, cure: elsewhere }
  if (!unaccepted.has(code) && !isRefused) return { said }
  if (config.services[service].credential.kind === 'forward')
    return { said: 'it responds; its credential comes from callers, so it was not tried' }
  return {
    said,
    cure: `set ${variable}_CREDENTIAL to one with this right: docs/services.md lists the kinds`,
  }
}
