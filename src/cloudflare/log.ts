import type { Log } from '../ports/ctx'
import { withoutPersonalData } from './log-scrub'

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
