/** Describes the machine of a measurement, for the head of its report. */
import { cpus, totalmem } from 'node:os'

export function machine(): string {
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.version}`
}
