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

/** The message of a failed assertion, and what it compared in full: the message shortens objects. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const compared = ['actual', 'expected'].flatMap((side) => {
    const value: unknown = Reflect.get(error, side)
    return value === undefined ? [] : [`    ${side}: ${textOf(value).slice(0, 400)}`]
  })
  return [error.message, ...compared].join('\n')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
