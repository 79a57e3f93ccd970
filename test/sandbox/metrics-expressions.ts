/**
 * Random expressions of the part of PromQL that the sandbox evaluates, for comparison with real servers.
 *
 * Values are exact (the same bits on every server: samples, their arithmetic, counts, extremes) or rounded (sums, rates
 * and what is computed by a library of mathematics, which may differ in the last digits). Comparisons, rounding and
 * other functions that jump take exact values only, so that a last digit cannot become another result.
 */
import fc from 'fast-check'

type Text = fc.Arbitrary<string>

const oneOf = (...texts: readonly string[]): Text => fc.constantFrom(...texts)
const joined = (...parts: readonly (Text | string)[]): Text =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(''))

/** One of the words of a text. */
const wordOf = (text: string): Text => oneOf(...text.split(' '))
/** The parts with a space between them. */
const spaced = (...parts: readonly (Text | string)[]): Text =>
  joined(...parts.flatMap((part, index) => (index === 0 ? [part] : [' ', part])))

const grouped = (...parts: readonly (Text | string)[]): Text => joined('(', spaced(...parts), ')')

/** Each has a single metric name, so that dropping it leaves distinct label sets. */
const instant = oneOf(
  'up',
  'up{job="api"}',
  'up{job!="api",instance=~"[a-w].*"}',
  'queue_length',
  'queue_length{instance!~"worker-1.*"}',
  'temperature_celsius',
  'temperature_celsius{room=~"(?i)CELLAR|x"}',
  'http_requests_total{status="200"}',
  'http_requests_total{handler=~"/(graphql|health)", method="GET"}',
  'http_requests_total',
  'scrape_duration_seconds',
  'process_cpu_seconds_total{job!="api"}',
  '{__name__="process_resident_memory_bytes"}',
  'no_such_metric',
  'up{nothing=""}',
)
const time = oneOf(
  '',
  '',
  '',
  ' offset 3m',
  ' offset 61s',
  ' offset -2m',
  ' @ 1772530000',
  ' @ 1772530000.5 offset 1m',
)
const selector = joined(instant, time)
const range = fc
  .integer({ min: 10, max: 3000 })
  .map((seconds) => (seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`))
const windowOf = joined(instant, '[', range, ']', time)

const grouping = oneOf(
  '',
  'by (job) ',
  'by (instance, status) ',
  'by () ',
  'without (instance) ',
  'without (handler, status) ',
)
const number = wordOf('0 0.5 2 -3 7 1e3 .25 010 0x1F +4 2.5e-2')
const matchingPairs = oneOf('', ' on (instance)', ' on (job, instance)', ' ignoring (job)')
const comparison = wordOf('== != < <= > >=')
const arithmetic = oneOf('+', '-', '*')

const { exact, rounded, exactScalar } = fc.letrec<Record<'exact' | 'rounded' | 'exactScalar', string>>(
  (tie) => {
    const nested = { depthSize: 'small' } as const
    const call = (name: Text, ...args: readonly (Text | string)[]): Text =>
      joined(name, '(', ...args.flatMap((one, index) => (index === 0 ? [one] : [', ', one])), ')')
    return {
      exactScalar: fc.oneof(
        nested,
        { weight: 3, arbitrary: number },
        oneOf('time()', 'NaN', 'Inf', '-inf'),
        call(oneOf('scalar'), tie('exact')),
        grouped(tie('exactScalar'), arithmetic, tie('exactScalar')),
        joined('(', tie('exactScalar'), ' ', comparison, ' bool ', tie('exactScalar'), ')'),
        joined('-', tie('exactScalar')),
      ),
      exact: fc.oneof(
        nested,
        { weight: 4, arbitrary: selector },
        call(
          wordOf(
            'min_over_time max_over_time count_over_time last_over_time present_over_time changes resets idelta',
          ),
          windowOf,
        ),
        joined(oneOf('min', 'max', 'count', 'group'), ' ', grouping, '(', tie('exact'), ')'),
        joined(oneOf('min', 'max', 'count', 'group'), '(', tie('exact'), ') ', grouping),
        call(wordOf('abs ceil floor sgn timestamp sort sort_desc'), tie('exact')),
        call(wordOf('minute hour day_of_week day_of_month day_of_year days_in_month month year'), selector),
        call(oneOf('clamp'), tie('exact'), number, number),
        call(oneOf('clamp_min', 'clamp_max'), tie('exact'), number),
        call(oneOf('round'), tie('exact'), oneOf('1', '0.5', '10')),
        call(oneOf('vector'), tie('exactScalar')),
        call(oneOf('absent'), selector),
        joined(
          oneOf('topk', 'bottomk'),
          ' ',
          grouping,
          '(',
          oneOf('0', '1', '3', '100'),
          ', ',
          oneOf('process_cpu_seconds_total', 'scrape_duration_seconds', 'temperature_celsius'),
          ')',
        ),
        grouped(tie('exact'), oneOf('+', '-', '*', '/'), number),
        joined('(', tie('exact'), ' ', comparison, oneOf('', ' bool'), ' ', tie('exactScalar'), ')'),
        joined('(', number, ' ', comparison, oneOf('', ' bool'), ' ', tie('exact'), ')'),
        grouped(tie('exact'), joined(oneOf('+', '-', '*', '==', '> bool'), matchingPairs), tie('exact')),
        grouped(
          tie('exact'),
          joined(oneOf('and', 'or', 'unless'), oneOf('', ' on (job)', ' ignoring (instance)', ' on ()')),
          tie('exact'),
        ),
        joined('(', selector, ' * on (instance) group_left (', oneOf('', 'queue', 'job'), ') ', instant, ')'),
        joined('(', instant, ' + on (job) group_right ', selector, ')'),
        // Without parentheses: the precedence of operators and of what follows an operand.
        spaced(selector, arithmetic, selector, arithmetic, number, comparison, number),
        joined('-', selector, ' ', oneOf('*', '+', '%', '^'), ' ', oneOf('2', '3')),
        spaced(number, arithmetic, joined('-', selector), arithmetic, number, '^ 2', arithmetic, number),
        spaced(selector, oneOf('and', 'or', 'unless'), selector, oneOf('and', 'or', 'unless'), selector),
        joined('-', tie('exact')),
      ),
      rounded: fc.oneof(
        nested,
        call(
          wordOf('rate increase delta irate sum_over_time avg_over_time stddev_over_time stdvar_over_time'),
          windowOf,
        ),
        call(oneOf('quantile_over_time'), wordOf('0 0.3 0.99 1 -1 2'), windowOf),
        joined(oneOf('sum', 'avg'), ' ', grouping, '(', tie('exact'), ')'),
        // Prometheus 2 gives 0 for the deviation of a single NaN or Inf, later versions NaN.
        joined(oneOf('stddev', 'stdvar'), ' ', grouping, '(', selector, ')'),
        joined(oneOf('sum', 'avg'), ' ', grouping, '(', tie('rounded'), ')'),
        joined('quantile ', grouping, '(', oneOf('0', '0.4', '0.9', '1'), ', ', selector, ')'),
        call(
          wordOf('exp ln log2 log10 sqrt sin cos tan atan asinh sinh cosh tanh deg rad'),
          oneOf(
            'temperature_celsius',
            'queue_length',
            'up',
            'scrape_duration_seconds',
            'temperature_celsius offset 5m',
          ),
        ),
        joined(
          'histogram_quantile(',
          wordOf('0 0.5 0.9 0.999 1 2'),
          ', sum by (le',
          oneOf('', ', instance', ', job'),
          ') (rate(http_request_duration_seconds_bucket[',
          range,
          '])))',
        ),
        joined('(', oneOf('temperature_celsius', 'queue_length'), ' ', oneOf('^ 0.5', '% 3.5', '/ 7'), ')'),
        grouped(tie('rounded'), oneOf('+', '*'), number),
        joined('(', tie('rounded'), ' / ', oneOf('3', '-7', '1e3'), ')'),
        grouped(tie('rounded'), joined(oneOf('and', 'unless'), oneOf('', ' on (job)')), tie('exact')),
        joined(
          'sum by (job) (rate(http_requests_total{status="500"}[',
          range,
          '])) / sum by (job) (rate(http_requests_total[10m]))',
        ),
        joined('-', tie('rounded')),
      ),
    }
  },
)

export { exact as exactVector, exactScalar, rounded as roundedVector }
/** Any expression whose result is a scalar or a vector. */
export const anyExpression: Text = fc.oneof(
  { weight: 5, arbitrary: exact },
  { weight: 4, arbitrary: rounded },
  { weight: 1, arbitrary: exactScalar },
)
