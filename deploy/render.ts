/** What the Helm chart makes, as text with its comments: `helm template`, for the files of deploy/kubernetes. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export interface Rendered {
  /** The template's file: `workloads.yaml`. */
  readonly template: string
  readonly text: string
  readonly document: KubernetesDocument
}

export interface KubernetesDocument {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly data?: Readonly<Record<string, string>>
}

const chart = fileURLToPath(new URL('helm/tessera', import.meta.url))

export const hasHelm = (): boolean => spawnSync('helm', ['version'], { stdio: 'ignore' }).status === 0

/** The documents of the release `tessera` in the namespace of that name. Throws what helm says if it refuses. */
export function render(values: Readonly<Record<string, string | boolean>>): Rendered[] {
  const sets = Object.entries(values).flatMap(([path, value]) => ['--set', `${path}=${value}`])
  // No cluster is needed: the template assumes one that has the Prometheus operator.
  const cluster = ['--kube-version', '1.30.0'].concat(
    ['PodMonitor', 'PrometheusRule'].flatMap((kind) => [
      '--api-versions',
      `monitoring.coreos.com/v1/${kind}`,
    ]),
  )
  const { status, stdout, stderr } = spawnSync(
    'helm',
    ['template', 'tessera', chart, '--namespace', 'tessera', ...cluster, ...sets],
    { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 },
  )
  if (status !== 0) throw new Error(`helm template failed:\n${stderr}`)
  return stdout
    .split(/^---\n/m)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, template = ''] = /^# Source: tessera\/templates\/(.*)\n/.exec(part) ?? []
      const text = part.replace(/^# Source: .*\n/, '')
      return { template, text: `${text.trimEnd()}\n`, document: parse(text) as KubernetesDocument }
    })
}

type Tree = Readonly<Record<string, unknown>>
const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isNamed = (value: unknown): value is Tree => isTree(value) && typeof value.name === 'string'

/**
 * What a strategic merge patch has to say so that `before` becomes `after`: what was added or changed; items of lists
 * go by their name. Undefined if nothing differs. It removes nothing.
 */
export function patchOf(before: unknown, after: unknown): unknown {
  if (isTree(before) && isTree(after)) {
    const changed = Object.entries(after).flatMap(([key, value]) => {
      const patch = patchOf(before[key], value)
      return patch === undefined ? [] : [[key, patch] as const]
    })
    return changed.length === 0 ? undefined : Object.fromEntries(changed)
  }
  if (Array.isArray(before) && Array.isArray(after) && after.every(isNamed)) {
    const changed = after.flatMap((item) => {
      const same = before.filter(isNamed).find(({ name }) => name === item.name)
      const patch = patchOf(same, item)
      return patch === undefined ? [] : [same === undefined ? item : { name: item.name, ...(patch as Tree) }]
    })
    return changed.length === 0 ? undefined : changed
  }
  return JSON.stringify(before) === JSON.stringify(after) ? undefined : after
}
