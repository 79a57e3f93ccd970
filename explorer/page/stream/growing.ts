/** Charts to which samples are added by time. The oldest samples are removed if there are too many. Pure. */
import { type Chart, inOrder, type Line } from '../result/series.ts'

/** The most samples, and the most times, of one chart that are drawn without delay. */
const mostSamples = 200_000
const mostInstants = 4000
const mostLines = 1000

/** Charts are identified by their place in the response, and lines by their labels. */
export function grown(charts: readonly Chart[], added: readonly Chart[]): readonly Chart[] {
  if (added.length === 0) return charts
  const rest = new Map(added.map((chart) => [chart.path, chart]))
  const merged = charts.map((chart) => {
    const more = rest.get(chart.path)
    rest.delete(chart.path)
    return more === undefined ? chart : joined(chart, more)
  })
  return [...merged, ...[...rest.values()].map(bounded)]
}

function joined(chart: Chart, more: Chart): Chart {
  const times = inOrder([...chart.times, ...more.times])
  const at = new Map(times.map((time, index) => [time, index]))
  const lines = new Map<string, (number | null)[]>()
  for (const { times: own, lines: each } of [chart, more]) {
    for (const { label, values } of each) {
      const line = lines.get(label) ?? new Array<number | null>(times.length).fill(null)
      lines.set(label, line)
      for (const [index, value] of values.entries())
        if (value !== null) line[at.get(own[index] ?? 0) ?? 0] = value
    }
  }
  return bounded({ ...chart, times, lines: [...lines].map(([label, values]) => ({ label, values })) })
}

function bounded(chart: Chart): Chart {
  const lines = chart.lines.slice(0, mostLines)
  const most = Math.max(1, Math.min(mostInstants, Math.floor(mostSamples / Math.max(1, lines.length))))
  if (chart.times.length <= most) return { ...chart, lines }
  const newest = lines.map(({ label, values }): Line => ({ label, values: values.slice(-most) }))
  // A line without samples is removed.
  return {
    ...chart,
    times: chart.times.slice(-most),
    lines: newest.filter(({ values }) => values.some((value) => value !== null)),
  }
}
