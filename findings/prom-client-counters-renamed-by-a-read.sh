#!/usr/bin/env bash
# Software: prom-client 15.1.3 (npm).
#
# A registry that is read in OpenMetrics renames its counters for good: `requests_total` becomes `requests` in the objects
# themselves, as OpenMetrics wants the family named so. When the same registry is read in Prometheus' text afterwards,
# which does not add `_total` again, the series has another name. A server that answers by `Accept`, one scraper asking
# for OpenMetrics (Prometheus does) and one for text (many agents do), so gives the second scraper `requests_total` until
# the first one has come, and `requests` from then on: rates end, and alerts on the old name see nothing. The registry
# itself still finds the metric by its old name alone, and a second counter of the new name is registered without a
# complaint, so that the text then has two families with one name.
#
# Source: `metrics()` in lib/registry.js assigns `metric.name` when the content type is that of OpenMetrics.
#
# Seen on 2026-11-27:
#   text at first               requests_total 3
#   OpenMetrics                 requests_total 3
#   text afterwards             requests 3
#   found by requests_total     requests
#   found by requests           undefined
#   families named requests     2
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . prom-client@15.1.3 >/dev/null
cat > try.mjs <<'JS'
import { Counter, Registry } from 'prom-client'

const say = (what, result) => console.log(`${what.padEnd(27)} ${result}`)
const registry = new Registry()
const counter = new Counter({ name: 'requests_total', help: 'Requests.', registers: [registry] })
counter.inc(3)
const read = async (type) => {
  registry.setContentType(type)
  return (await registry.metrics()).split('\n')
}
const sample = (lines) => lines.find((line) => line !== '' && !line.startsWith('#'))

say('text at first', sample(await read(Registry.PROMETHEUS_CONTENT_TYPE)))
say('OpenMetrics', sample(await read(Registry.OPENMETRICS_CONTENT_TYPE)))
say('text afterwards', sample(await read(Registry.PROMETHEUS_CONTENT_TYPE)))
say('found by requests_total', registry.getSingleMetric('requests_total')?.name)
say('found by requests', registry.getSingleMetric('requests')?.name)
new Counter({ name: 'requests', help: 'Other requests.', registers: [registry] })
const lines = await read(Registry.PROMETHEUS_CONTENT_TYPE)
say('families named requests', lines.filter((line) => line === '# TYPE requests counter').length)
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
text at first               requests_total 3
OpenMetrics                 requests_total 3
text afterwards             requests 3
found by requests_total     requests
found by requests           undefined
families named requests     2
EXPECTED
