interface Sweep<T> {
  /** Names a case in the failure, as `GET /api/v1/markers by an app token`. */
  readonly name: (one: T) => string
  /** Cases under way at once; 1 where they share what they change. */
  readonly atOnce?: number
}

const mostShown = 30

/**
 * Checks a rule for every case, and fails with the names of the cases that break it: one test for a rule reads better
 * than hundreds, one for each case.
 */
export async function checkEach<T>(
  cases: readonly T[],
  { name, atOnce = 1 }: Sweep<T>,
  check: (one: T) => unknown,
): Promise<void> {
  if (cases.length === 0) throw new Error('There is no case to check')
  const failures: { readonly text: string; readonly cause: unknown }[] = []
  const left = cases.values()
  const checker = async () => {
    for (const one of left)
      try {
        await check(one)
      } catch (cause) {
        failures.push({ text: `${name(one)}: ${reasonOf(cause)}`, cause })
      }
  }
  await Promise.all(Array.from({ length: atOnce }, checker))
  const [first] = failures
  if (first === undefined) return
  const shown = failures.slice(0, mostShown).map(({ text }) => text)
  const more = failures.length > mostShown ? [`and ${failures.length - mostShown} more`] : []
  const text = [`${failures.length} of ${cases.length} cases fail`, ...shown, ...more].join('\n')
  throw new Error(text, { cause: first.cause })
}

/** The message of a failed assertion, and what it compared: the message shortens objects. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [actual, expected]: unknown[] = ['actual', 'expected'].map((side) => Reflect.get(error, side))
  if (actual === undefined && expected === undefined) return error.message
  return [error.message, ...differences(actual, expected)].join('\n')
}

/** Lines with both sides; of two objects with the entries in which they differ. */
function differences(actual: unknown, expected: unknown): readonly string[] {
  if (!isRecord(actual) || !isRecord(expected))
    return [`    actual: ${textOf(actual)}`, `    expected: ${textOf(expected)}`]
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
  return keys.flatMap((key) => {
    const [one, other] = [textOf(actual[key]), textOf(expected[key])]
    return one === other ? [] : [`    ${key}: ${one}, expected ${other}`]
  })
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : jsonOf(value)).slice(0, 400)
}

function jsonOf(value: unknown): string {
  try {
    return String(JSON.stringify(value))
  } catch {
    // Elements of a page refer to each other.
    return String(value)
  }
}
