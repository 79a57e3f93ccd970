/**
 * Copies the rules and the dashboard to where Kubernetes and Helm need them: neither reads a file outside of its own
 * folder. `npm run generate` runs this, and a test fails where a copy is old.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const here = (path: string): URL => new URL(path, import.meta.url)
const read = (path: string): string => readFileSync(here(path), 'utf8')

const notice = '# Made by `npm run generate` from deploy/prometheus-rules.yml: change it there.\n'

/** By path below deploy/: what stands there. */
export function copies(): Readonly<Record<string, string>> {
  const rules = read('prometheus-rules.yml')
  const dashboard = read('grafana-dashboard.json')
  const bare = rules.slice(rules.indexOf('groups:'))
  const head = [
    'apiVersion: monitoring.coreos.com/v1',
    'kind: PrometheusRule',
    'metadata:',
    '  name: tessera',
    '  namespace: tessera',
    '  labels:',
    '    app.kubernetes.io/part-of: tessera',
    'spec:',
    '',
  ].join('\n')
  return {
    'kubernetes/components/monitoring/prometheus-rule.yaml': notice + head + bare.replace(/^(?=.)/gm, '  '),
    'kubernetes/components/monitoring/grafana-dashboard.json': dashboard,
    'helm/tessera/files/prometheus-rules.yml': notice + bare,
    'helm/tessera/files/grafana-dashboard.json': dashboard,
  }
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(copies())) writeFileSync(here(path), text)
}
