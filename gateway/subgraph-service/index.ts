/**
 * What a subgraph is served with by itself (`hosts/subgraph.ts`), for our gateway or another router. It executes only what
 * a gateway proves to have sent. It is the gateway's own server and pipeline, over an engine that executes each operation
 * whole (`engine.ts`).
 */
import type { Gate } from '../overload/index.ts'
import type { Pipeline } from '../pipeline/index.ts'
import type { OtherProtocol, Serving } from '../server/index.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { Admission } from './admission.ts'

/** What another protocol than HTTP receives of a subgraph service: its requests go through the same pipeline. */
export interface FramedServiceOptions extends Serving {
  readonly name: string
  /** The secret that gateways share with the service; undefined if there is none. */
  readonly secret: string | undefined
  readonly admission: Pick<Admission, 'isProven'>
  readonly pipeline: Pipeline
  readonly gate: Gate
  readonly maxBodyBytes: number
  readonly metrics: Metrics
  readonly log: Logger
}

export type ServeFramed = (options: FramedServiceOptions) => OtherProtocol
