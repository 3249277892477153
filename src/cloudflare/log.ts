import type { Log } from '../ports/ctx'

/** Writes one line of JSON for each entry, without personal data: the platform collects logs from the console. */
export const consoleLog: Log = {
  info: (message, facts) => write('info', message, facts),
  error: (message, facts) => write('error', message, facts),
}

/** Adds the request id, which the response carries too, to every log entry. */
export function withRequestId(requestId: string, log: Log): Log {
  return {
    info: (message, facts) => log.info(message, { requestId, ...facts }),
    error: (message, facts) => log.error(message, { requestId, ...facts }),
  }
}

function write(
  level: 'info' | 'error',
  message: string,
  facts: Readonly<Record<string, unknown>> = {},
): void {
  const { cause, ...rest } = facts
  const reason = cause instanceof Error ? { cause: describe(cause) } : cause === undefined ? {} : { cause }
  // biome-ignore lint/suspicious/noConsole: this is where the console is the destination
  console[level](JSON.stringify(withoutPersonalData({ level, message, ...rest, ...reason })))
}

function describe(failure: Error): string {
  const inner = failure.cause instanceof Error ? ` <- ${describe(failure.cause)}` : ''
  return `${failure.name}: ${failure.message}${inner}`
}

/** Names of facts that hold a path of this server. */
const pathNames: ReadonlySet<string> = new Set(['path'])
/** Names of facts that are identifiers of the log itself, or versions and kinds from a fixed list. */
const plainNames: ReadonlySet<string> = new Set(['level', 'message', 'requestId'])

const deepest = 6

/**
 * Facts of a log entry without personal data: of web addresses the host stays, of paths their fixed parts; e-mail
 * addresses, handles, network addresses, tokens, and the values of failed statements go. Logs are kept by the platform,
 * and read by others than those who may read the database.
 */
function withoutPersonalData(facts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => {
      if (plainNames.has(name)) return [name, value]
      if (pathNames.has(name) && typeof value === 'string') return [name, fixedPartsOf(value)]
      return [name, scrubValue(value, 0)]
    }),
  )
}

function scrubValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrubText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return '[…]'
  if (Array.isArray(value)) return value.map((entry) => scrubValue(entry, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, scrubValue(entry, depth + 1)]),
  )
}

const replacements: readonly (readonly [RegExp, string])[] = [
  // Values of a failed statement: whole statuses, addresses, hashes.
  [/\n?params: [\s\S]*$/, ''],
  [/\b(https?:\/\/)(?:[^\s/?#"'<>@]*@)?([^\s/?#"'<>]+)[^\s"'<>]*/gi, '$1$2/…'],
  // E-mail addresses and handles: of both the host stays.
  [/@?[^\s"'<>@:,;()]+@([\p{L}\p{N}.-]+\.\p{L}{2,})/giu, '…@$1'],
  [/\bacct:[^\s"']+/gi, 'acct:…'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '[ip]'],
  // Version 6: shortened by `::`, or of four groups and more, unlike a time of day.
  [/(?<![\w:])(?:[0-9a-f]{1,4}:){1,7}:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{0,4}(?:\/\d+)?/gi, '[ip]'],
  [/(?:\b[0-9a-f]{1,4}:{1,2}){3,}[0-9a-f]{0,4}(?:\/\d+)?/gi, '[ip]'],
  // Tokens and secrets, which have 32 characters and more; ids of requests and objects are shorter or have dashes.
  [/\b(?![0-9a-f]{8}-)[A-Za-z0-9_-]{32,}\b/g, '[secret]'],
]

/** A text without personal data. */
export function scrubText(text: string): string {
  return replacements.reduce((before, [pattern, by]) => before.replace(pattern, by), text)
}

/** Segments behind which names stand. */
const beforeNames =
  /^(users|tags?|invite|media|media_proxy|confirm|interact|list|collections|shares|auth|emojis|(un)?react(ions)?)$/

/** Fixed parts of a path of this server: names, ids, codes and tokens are replaced. */
function fixedPartsOf(path: string): string {
  const segments = path.split('/')
  return segments
    .map((segment, index) => {
      const isFixed = /^[a-z_.-]{0,24}\d?$/.test(segment) && !beforeNames.test(segments[index - 1] ?? '')
      return isFixed ? segment : ':…'
    })
    .join('/')
}
