/** What a protocol instead of HTTP gets of a subgraph service, if one is handed in: its requests go the same way. */
import type { Gate } from '../../overload/index.ts'
import type { Pipeline } from '../../pipeline/index.ts'
import type { OtherProtocol, Serving } from '../../server/index.ts'
import type { Logger } from '../../telemetry/log.ts'
import type { Metrics } from '../../telemetry/metrics/index.ts'
import type { Admission } from './admission.ts'

export interface FramedServiceOptions extends Serving {
  /** The name of the subgraph. */
  readonly name: string
  /** What gateways share with the service; undefined if they share nothing. */
  readonly secret: string | undefined
  readonly admission: Pick<Admission, 'isProven'>
  readonly pipeline: Pipeline
  readonly gate: Gate
  readonly maxBodyBytes: number
  readonly metrics: Metrics
  readonly log: Logger
}

export type ServeFramed = (options: FramedServiceOptions) => OtherProtocol
