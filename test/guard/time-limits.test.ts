import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeLines, importsOf, sourceFiles } from './source'

/** A shorter limit ends tests on a busy machine that do not hang. */
const leastMilliseconds = 60_000

/** Files that set timers of their own, each with the reason. */
const timers: Readonly<Record<string, string>> = {
  'test/abuse/socket/connections.test.ts': 'sends a body piece by piece over a connection',
  'test/e2e/browser/sign-up-challenge.test.ts': 'makes the browser of a visitor slow',
  'test/e2e/support/received-events.ts': 'limits the wait for an event',
}

/** Files whose short limits end a single attempt, which is repeated, each with the reason. */
const attempts: Readonly<Record<string, string>> = {
  'test/e2e/browser/administration-servers.test.ts': 'a page is loaded again until it shows the change',
  'test/e2e/support/database.ts': 'SQLite waits so long for another process',
}

/** Files that measure time for people, and files with them. */
const stopwatches = /^test\/(bench\/|support\/costs\.ts$|e2e\/)/

const tests = sourceFiles('test').filter(({ path }) => !path.startsWith('test/guard/'))
const configurations = [
  ...readdirSync('.').filter((name) => /^vitest\..*config\.ts$|^vitest\.config\.ts$/.test(name)),
  'test/in-workerd.ts',
].map((path) => ({ path, text: readFileSync(path, 'utf8') }))

const toNumber = (digits: string) => Number(digits.replaceAll('_', ''))

/** The arguments of each call of a function whose name `pattern` ends with, up to the closing parenthesis. */
function argumentsOf(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(({ index, 0: call }) => {
    const start = index + call.length
    let depth = 1
    let end = start
    while (depth > 0 && end < text.length) {
      if (text[end] === '(') depth += 1
      if (text[end] === ')') depth -= 1
      end += 1
    }
    return text.slice(start, end - 1)
  })
}

describe('tests wait for no time to pass', () => {
  it('timers: move the clock, await an event, or poll by expect.poll with hangLimit', () => {
    // A timer of 0 ms lets what is due happen first.
    const timer = /\b(setTimeout|setInterval|waitForTimeout|scheduler\.wait)\((?!resolve, 0\))/
    const setting = tests.filter(
      (file) =>
        timers[file.path] === undefined &&
        !file.text.includes('vi.useFakeTimers(') &&
        (codeLines(file).some((line) => timer.test(line)) ||
          importsOf(file).some((name) => /^(node:)?timers/.test(name))),
    )
    expect(setting.map(({ path }) => path)).toEqual([])
  })

  it('stopwatches: count calls, rows or bytes, or choose an input at which the fault exceeds the limit of a test', () => {
    const measuring = tests.filter(
      (file) =>
        !stopwatches.test(file.path) && codeLines(file).some((line) => /\bperformance\.now\(/.test(line)),
    )
    expect(measuring.map(({ path }) => path)).toEqual([])
  })
})

describe('limits catch what hangs, and nothing else', () => {
  it('limits of every configuration are a minute or longer', () => {
    for (const { path, text } of configurations) {
      const limits = [...text.matchAll(/\b(testTimeout|hookTimeout): ([\d_]+)/g)]
      const names = new Set(limits.map(([, name]) => name))
      const isComplete = names.size === 2 || (names.size === 0 && text.includes('./test/in-workerd.ts'))
      expect([path, isComplete]).toEqual([path, true])
      for (const [limit, , milliseconds = ''] of limits)
        expect([path, limit, toNumber(milliseconds) >= leastMilliseconds]).toEqual([path, limit, true])
    }
  })

  it('limits of single tests and polls are a minute or longer', () => {
    const limit = /\btimeout\b\s*[:=]\s*([\d_]+)|^\},\s*(\d[\d_]*_000)\)$/
    const isShort = (line: string) => {
      const [, named, last] = limit.exec(line) ?? []
      const digits = named ?? last
      return digits !== undefined && toNumber(digits) < leastMilliseconds
    }
    const short = tests
      .filter(({ path }) => attempts[path] === undefined)
      .flatMap((file) =>
        codeLines(file)
          .filter(isShort)
          .map((line) => `${file.path}: ${line}`),
      )
    expect(short).toEqual([])
  })

  it('polls name theirs, for vitest ends them after a second: pass hangLimit', () => {
    const unlimited = tests.flatMap(({ path, text }) =>
      argumentsOf(text, /\b(?:expect\s*\.poll|vi\.waitFor|vi\.waitUntil)\(/g)
        .filter((given) => !/\btimeout\b|\bhangLimit\b/.test(given))
        .map((given) => `${path}: ${given}`),
    )
    expect(unlimited).toEqual([])
  })

  it('no test is retried', () => {
    const retried = [...tests, ...configurations].filter((file) =>
      codeLines(file).some((line) => /\bretry\s*:\s*[\d{]/.test(line)),
    )
    expect(retried.map(({ path }) => path)).toEqual([])
  })
})
