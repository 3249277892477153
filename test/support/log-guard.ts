/** Patterns of what no line of the log may hold, independent of the scrubbing that they guard. */
const forbidden: readonly (readonly [string, RegExp])[] = [
  ['an e-mail address or handle', /[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/i],
  [
    'a network address',
    /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])|(?<![\w:])(?:[\da-f]{1,4}:){3,7}[\da-f]{1,4}/i,
  ],
  ['credentials', /\b(?:bearer|basic)\s+[\w+/=-]{8,}/i],
  ['a token', /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{32,}(?![\w-])/],
  ['a password', /"(?:password|passwd|secret|token|email|ip)":"(?!\[|…)[^"]+"/i],
  ['a secret of the tests', /a secret of forty-three characters|a-setup-token-for-tests/],
]

const found: string[] = []
/** Test files share one runtime, and its console. */
let isWatched = false

/** Kinds of personal data or secrets in a line. */
export function personalDataIn(line: string): readonly string[] {
  return forbidden.filter(([, pattern]) => pattern.test(line)).map(([what]) => what)
}

/** Watches the lines that the code under test writes to its log. Lines of tests themselves are no objects of JSON. */
export function watchLog(): void {
  if (isWatched) return
  isWatched = true
  for (const level of ['info', 'error'] as const) {
    const write = console[level].bind(console)
    console[level] = (...values: readonly unknown[]) => {
      const [line] = values
      if (typeof line === 'string' && line.startsWith('{"level":')) {
        const kinds = personalDataIn(line)
        if (kinds.length > 0) found.push(`${kinds.join(', ')}: ${line.slice(0, 600)}`)
      }
      write(...values)
    }
  }
}

/** Lines with personal data since the last call. */
export function takeLeaks(): readonly string[] {
  return found.splice(0)
}
