/**
 * Limits of one invocation on the free plan: a request with its late work, a message of the queue, a tick, a call of an
 * object. Each statement of a batch counts. Source: the platform's pages on limits of D1 and Workers, July 2026.
 */
export const invocationLimits = {
  /** Statements of D1. */
  statements: 50,
  /** Requests to other servers, each redirect counted. */
  requests: 50,
  /** Calls of objects, queues, files, pictures and mail. */
  calls: 1_000,
} as const

/** Statements that any invocation may need to store the uses it counted: one a day, and two at midnight. */
export const statementsKept = 2
