// Regular expressions of label matchers: RE2's syntax, anchored at both ends, matched in linear time by walking
// a set of states. No back-references and no look-around, which RE2 refuses as well; a hostile pattern cannot hang
// the process, which JavaScript's own engine would not promise.

type CharTest = (char: string) => boolean
type Node =
  | { kind: 'char'; test: CharTest }
  | { kind: 'empty' }
  | { kind: 'assert'; test: (before: string | undefined, after: string | undefined) => boolean }
  | { kind: 'concat'; parts: Node[] }
  | { kind: 'alternate'; options: Node[] }
  | { kind: 'repeat'; node: Node; min: number; max: number }

type State =
  | { kind: 'char'; test: CharTest; next: number }
  | { kind: 'split'; nexts: number[] }
  | { kind: 'assert'; test: (before: string | undefined, after: string | undefined) => boolean; next: number }
  | { kind: 'match' }

interface Flags {
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
}

const maxRepeat = 1000
const maxStates = 20_000

const perlClasses: Record<string, CharTest> = {
  d: (char) => /^[0-9]$/.test(char),
  w: (char) => /^[0-9A-Za-z_]$/.test(char),
  s: (char) => /^[\t\n\f\r ]$/.test(char),
}
const posixClasses = new Map<string, CharTest>(
  Object.entries({
    alnum: /^[0-9A-Za-z]$/,
    alpha: /^[A-Za-z]$/,
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the class is defined by them
    ascii: /^[\x00-\x7f]$/,
    blank: /^[\t ]$/,
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the class is defined by them
    cntrl: /^[\x00-\x1f\x7f]$/,
    digit: /^[0-9]$/,
    graph: /^[!-~]$/,
    lower: /^[a-z]$/,
    print: /^[ -~]$/,
    punct: /^[!-/:-@[-`{-~]$/,
    space: /^[\t\n\v\f\r ]$/,
    upper: /^[A-Z]$/,
    word: /^[0-9A-Za-z_]$/,
    xdigit: /^[0-9A-Fa-f]$/,
  }).map(([name, pattern]) => [name, (char: string) => pattern.test(char)]),
)
const controlEscapes: Record<string, string> = { a: '\x07', f: '\f', t: '\t', n: '\n', r: '\r', v: '\v' }

/** Compiles a pattern to a whole-value test, or throws an Error whose message reads as RE2's. */
export function compileAnchored(pattern: string): (value: string) => boolean {
  const states: State[] = []
  const start = emit(parse(pattern), add(states, { kind: 'match' }), states)
  return (value) => run(states, start, [...value])
}

function add(states: State[], state: State): number {
  if (states.length >= maxStates) throw new Error('error parsing regexp: expression too large')
  return states.push(state) - 1
}

function emit(node: Node, next: number, states: State[]): number {
  switch (node.kind) {
    case 'empty':
      return next
    case 'char':
      return add(states, { kind: 'char', test: node.test, next })
    case 'assert':
      return add(states, { kind: 'assert', test: node.test, next })
    case 'concat':
      return node.parts.reduceRight((after, part) => emit(part, after, states), next)
    case 'alternate':
      return add(states, { kind: 'split', nexts: node.options.map((option) => emit(option, next, states)) })
    case 'repeat': {
      let after = next
      if (node.max === Number.POSITIVE_INFINITY) {
        const loop: State & { kind: 'split' } = { kind: 'split', nexts: [next] }
        after = add(states, loop)
        loop.nexts.push(emit(node.node, after, states))
      } else {
        for (let count = node.min; count < node.max; count++) {
          after = add(states, { kind: 'split', nexts: [next, emit(node.node, after, states)] })
        }
      }
      for (let count = 0; count < node.min; count++) after = emit(node.node, after, states)
      return after
    }
  }
}

function run(states: readonly State[], start: number, chars: readonly string[]): boolean {
  let current = new Set<number>()
  const enter = (into: Set<number>, first: number, position: number): void => {
    const stack = [first]
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      if (into.has(index)) continue
      into.add(index)
      const state = states[index]
      if (state?.kind === 'split') stack.push(...state.nexts)
      else if (state?.kind === 'assert' && state.test(chars[position - 1], chars[position]))
        stack.push(state.next)
    }
  }
  enter(current, start, 0)
  for (const [position, char] of chars.entries()) {
    const following = new Set<number>()
    for (const index of current) {
      const state = states[index]
      if (state?.kind === 'char' && state.test(char)) enter(following, state.next, position + 1)
    }
    current = following
    if (current.size === 0) return false
  }
  for (const index of current) if (states[index]?.kind === 'match') return true
  return false
}

/** `\Q…\E` as the single characters that it quotes, so that an operator behind it takes the last one only. */
function withoutQuotes(pattern: string): string {
  return pattern.replaceAll(/\\Q([\s\S]*?)(?:\\E|$)|\\[\s\S]/g, (whole, quoted: string | undefined) =>
    quoted === undefined ? whole : quoted.replaceAll(/[!-/:-@[-`{-~]/g, '\\$&'),
  )
}

function parse(pattern: string): Node {
  const chars = [...withoutQuotes(pattern)]
  let at = 0
  const fail = (problem: string, part: string): never => {
    throw new Error(`error parsing regexp: ${problem}: \`${part}\``)
  }
  const rest = (length: number): string => chars.slice(at, at + length).join('')

  function alternation(flags: Flags): Node {
    let active = flags
    const options: Node[] = []
    let parts: Node[] = []
    for (;;) {
      const char = chars[at]
      if (char === undefined || char === ')') break
      if (char === '|') {
        at++
        options.push({ kind: 'concat', parts })
        parts = []
        continue
      }
      if (char === '(') {
        const [node, changed] = group(active)
        if (changed !== undefined) {
          active = changed
          continue
        }
        parts.push(repeated(node))
        continue
      }
      parts.push(repeated(atom(active)))
    }
    if (options.length === 0) return { kind: 'concat', parts }
    return { kind: 'alternate', options: [...options, { kind: 'concat', parts }] }
  }

  function group(flags: Flags): [Node, Flags | undefined] {
    at++
    if (chars[at] !== '?') return [closed(flags), undefined]
    const named = /^\?P?<([A-Za-z0-9_]+)>/.exec(rest(80))
    if (named !== null) {
      at += named[0].length
      return [closed(flags), undefined]
    }
    const flagged = /^\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest(20))
    if (flagged === null) return fail('invalid or unsupported Perl syntax', `(${rest(2)}`)
    at += flagged[0].length
    const [, on = '', off = '', end] = flagged
    const set = (flag: string, before: boolean) => (on.includes(flag) || before) && !off.includes(flag)
    const changed: Flags = {
      ignoreCase: set('i', flags.ignoreCase),
      multiline: set('m', flags.multiline),
      dotAll: set('s', flags.dotAll),
    }
    return end === ')' ? [{ kind: 'empty' }, changed] : [closed(changed), undefined]
  }

  function closed(flags: Flags): Node {
    const node = alternation(flags)
    if (chars[at] !== ')') fail('missing closing )', pattern)
    at++
    return node
  }

  function repeated(node: Node): Node {
    let result = node
    let operators = 0
    for (;;) {
      const counted = /^\{([0-9]+)(,([0-9]*))?\}/.exec(rest(24))
      const char = chars[at]
      let bounds: [number, number]
      if (char === '*') bounds = [0, Number.POSITIVE_INFINITY]
      else if (char === '+') bounds = [1, Number.POSITIVE_INFINITY]
      else if (char === '?') bounds = [0, 1]
      else if (counted !== null) {
        const min = Number(counted[1])
        const max =
          counted[2] === undefined ? min : counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3])
        if (min > maxRepeat || (Number.isFinite(max) && (max > maxRepeat || max < min)))
          fail('invalid repeat count', counted[0])
        bounds = [min, max]
      } else return result
      if (operators++ > 0) fail('invalid nested repetition operator', rest(2))
      at += counted !== null && char === '{' ? counted[0].length : 1
      // Lazy or greedy makes no difference to a test of the whole value.
      if (chars[at] === '?') at++
      result = { kind: 'repeat', node: result, min: bounds[0], max: bounds[1] }
    }
  }

  function atom(flags: Flags): Node {
    const char = chars[at++] ?? ''
    switch (char) {
      case '.':
        return { kind: 'char', test: flags.dotAll ? () => true : (tested) => tested !== '\n' }
      case '[':
        return { kind: 'char', test: charClass(flags) }
      case '^':
        return {
          kind: 'assert',
          test: (before) => before === undefined || (flags.multiline && before === '\n'),
        }
      case '$':
        return {
          kind: 'assert',
          test: (_, after) => after === undefined || (flags.multiline && after === '\n'),
        }
      case '*':
      case '+':
      case '?':
        return fail('missing argument to repetition operator', char)
      case '\\':
        return escaped(flags)
      default:
        return { kind: 'char', test: literal(char, flags) }
    }
  }

  function escaped(flags: Flags): Node {
    const next = chars[at]
    if (next === undefined) return fail('trailing backslash at end of expression', '')
    if (next === 'A' || next === 'z') {
      at++
      return {
        kind: 'assert',
        test: next === 'A' ? (before) => before === undefined : (_, after) => after === undefined,
      }
    }
    if (next === 'b' || next === 'B') {
      at++
      const isWord = (char: string | undefined) => char !== undefined && /^[0-9A-Za-z_]$/.test(char)
      return {
        kind: 'assert',
        test: (before, after) => (isWord(before) !== isWord(after)) === (next === 'b'),
      }
    }
    const one = escapedChar()
    return { kind: 'char', test: typeof one === 'string' ? literal(one, flags) : one }
  }

  /** One escaped character or class, inside or outside brackets; `at` stands behind the backslash. */
  function escapedChar(): string | CharTest {
    const next = chars[at++] ?? ''
    const perl = perlClasses[next.toLowerCase()]
    if (perl !== undefined && /[dwsDWS]/.test(next)) {
      return next === next.toLowerCase() ? perl : (char) => !perl(char)
    }
    if (next === 'p' || next === 'P') {
      const name = /^(?:\{(\^?)([A-Za-z_]+)\}|([A-Z]))/.exec(rest(40))
      if (name === null) return fail('invalid character class range', `\\${next}`)
      at += name[0].length
      const property = name[2] ?? name[3] ?? ''
      const negated = (next === 'P') !== (name[1] === '^')
      return unicodeClass(property, negated)
    }
    if (controlEscapes[next] !== undefined) return controlEscapes[next]
    if (next === 'x') {
      const hex = /^(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/.exec(rest(8))
      const code = Number.parseInt(hex?.[1] ?? hex?.[2] ?? '', 16)
      if (hex === null || code > 0x10ffff) return fail('invalid escape sequence', '\\x')
      at += hex[0].length
      return String.fromCodePoint(code)
    }
    const octal = next === '0' ? /^[0-7]{1,2}/.exec(rest(2)) : null
    if (next === '0') {
      at += octal?.[0].length ?? 0
      return String.fromCodePoint(Number.parseInt(octal?.[0] ?? '0', 8))
    }
    if (/^[!-/:-@[-`{-~]$/.test(next)) return next
    return fail('invalid escape sequence', `\\${next}`)
  }

  function charClass(flags: Flags): CharTest {
    const begin = at - 1
    const negated = chars[at] === '^'
    if (negated) at++
    const tests: CharTest[] = []
    for (let first = true; first || chars[at] !== ']'; first = false) {
      if (at >= chars.length) fail('missing closing ]', chars.slice(begin).join(''))
      const posix = /^\[:(\^?)([a-z]+):\]/.exec(rest(16))
      if (posix !== null) {
        const known = posixClasses.get(posix[2] ?? '')
        if (known === undefined) fail('invalid character class range', posix[0])
        else tests.push(posix[1] === '^' ? (char) => !known(char) : known)
        at += posix[0].length
        continue
      }
      const low = classChar()
      if (typeof low !== 'string') {
        tests.push(low)
        continue
      }
      if (chars[at] === '-' && chars[at + 1] !== undefined && chars[at + 1] !== ']') {
        at++
        const high = classChar()
        if (typeof high !== 'string' || point(high) < point(low)) {
          return fail('invalid character class range', `${low}-${typeof high === 'string' ? high : ''}`)
        }
        tests.push(range(point(low), point(high), flags))
      } else tests.push(literal(low, flags))
    }
    at++
    return (char) => tests.some((test) => test(char)) !== negated
  }

  function classChar(): string | CharTest {
    const char = chars[at++] ?? ''
    return char === '\\' ? escapedChar() : char
  }

  const node = alternation({ ignoreCase: false, multiline: false, dotAll: true })
  if (at < chars.length) fail('unexpected )', pattern)
  return node
}

function point(char: string): number {
  return char.codePointAt(0) ?? 0
}

function folds(char: string): string[] {
  return [char, char.toLowerCase(), char.toUpperCase()]
}

function literal(char: string, flags: Flags): CharTest {
  if (!flags.ignoreCase) return (tested) => tested === char
  const lower = char.toLowerCase()
  return (tested) => tested.toLowerCase() === lower
}

function range(low: number, high: number, flags: Flags): CharTest {
  const within = (char: string) => point(char) >= low && point(char) <= high
  return flags.ignoreCase ? (char) => folds(char).some(within) : within
}

function unicodeClass(property: string, negated: boolean): CharTest {
  for (const name of [property, `Script=${property}`]) {
    try {
      const pattern = new RegExp(`^\\${negated ? 'P' : 'p'}{${name}}$`, 'u')
      return (char) => pattern.test(char)
    } catch {
      // Not a general category: try it as the name of a script.
    }
  }
  throw new Error(`error parsing regexp: invalid character class range: \`\\p{${property}}\``)
}
