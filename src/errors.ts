import { detailsOf, type ErrorArguments, englishOf, type Problem } from './errors/sentences'

/** A code with its values, or several problems at once. */
type Reasons = ErrorArguments | readonly [problems: readonly Problem[], values?: undefined, detail?: unknown]

/**
 * A caller's mistake or missing right, as codes of `src/errors/codes.ts` with their values. `message` has the words of
 * the API, which are safe to show; `detail` is for the log only.
 *
 * An object hidden from the viewer is `NotFound`, never `Forbidden`.
 */
export abstract class AppError extends Error {
  /** Stated by each class, for the log: the deployed bundle shortens names of classes. */
  abstract override readonly name: string
  abstract readonly status: 400 | 401 | 403 | 404 | 408 | 409 | 410 | 413 | 422 | 429 | 503
  readonly problems: readonly Problem[]
  readonly detail: unknown
  /** Caller's remaining allowance of a counted family; set by the edge, so that refusals report it as well. */
  allowance: RateLimitStatus | null = null

  constructor(...[first, values = {}, detail]: Reasons) {
    const problems = typeof first === 'string' ? [{ code: first, values }] : first
    super(englishOf(problems))
    this.problems = problems
    this.detail = detail
  }

  /** Fields of the response beside `error`. */
  get extra(): Readonly<Record<string, unknown>> {
    return {}
  }

  get headers(): Readonly<Record<string, string>> {
    return this.allowance === null ? {} : rateLimitHeaders(this.allowance)
  }
}

/** A required parameter is missing, or the request cannot be parsed. */
export class BadRequest extends AppError {
  readonly name: string = 'BadRequest'
  readonly status = 400
}

export class Unauthorized extends AppError {
  readonly name: string = 'Unauthorized'
  readonly status = 401

  constructor(...given: Reasons | readonly []) {
    super(...(given.length === 0 ? (['invalid_token'] as const) : given))
  }

  override get headers() {
    return { ...super.headers, 'WWW-Authenticate': `Bearer realm="Fieldfare", error="invalid_token"` }
  }
}

export class Forbidden extends AppError {
  readonly name: string = 'Forbidden'
  readonly status = 403

  constructor(...given: Reasons | readonly []) {
    super(...(given.length === 0 ? (['forbidden'] as const) : given))
  }
}

/** The record is missing or hidden from the caller: the same answer for both. */
export class NotFound extends AppError {
  readonly name: string = 'NotFound'
  readonly status = 404

  constructor(...given: Reasons | readonly []) {
    super(...(given.length === 0 ? (['not_found'] as const) : given))
  }
}

export class Conflict extends AppError {
  readonly name: string = 'Conflict'
  readonly status = 409
}

export class Gone extends AppError {
  readonly name: string = 'Gone'
  readonly status = 410
}

export class TooLarge extends AppError {
  readonly name: string = 'TooLarge'
  readonly status = 413
}

/** The request body did not arrive whole in time. */
export class RequestTimeout extends AppError {
  readonly name: string = 'RequestTimeout'
  readonly status = 408
}

/** Well-formed input that is not acceptable. */
export class Invalid extends AppError {
  readonly name: string = 'Invalid'
  readonly status = 422
}

/** Input with problems by field, which responses list beside the sentence, as the sign-up API does. */
export class InvalidFields extends Invalid {
  readonly fields: readonly Problem[]

  constructor(fields: readonly Problem[], problems = fields) {
    super(problems)
    this.fields = fields
  }

  override get extra() {
    return { details: detailsOf(this.fields) }
  }
}

/** Parameters of the wrong shape: `error` has the words of their schemas, `problems` name each parameter. */
export class InvalidParameters extends Invalid {
  override readonly problems: readonly Problem[]

  constructor(reasons: string, problems: readonly Problem[]) {
    super('invalid_parameters', { reasons })
    this.problems = problems
  }
}

/** Remaining allowance of a request family in the current window. */
export interface RateLimitStatus {
  readonly limit: number
  readonly remaining: number
  readonly resetAt: Date
}

/** Builds the three headers Mastodon's clients read; the time has six fraction digits. */
export function rateLimitHeaders(allowance: RateLimitStatus) {
  return {
    'X-RateLimit-Limit': String(allowance.limit),
    'X-RateLimit-Remaining': String(allowance.remaining),
    'X-RateLimit-Reset': allowance.resetAt.toISOString().replace('Z', '000Z'),
  }
}

export class RateLimited extends AppError {
  readonly name: string = 'RateLimited'
  readonly status = 429

  constructor(allowance: RateLimitStatus, ...given: Reasons | readonly []) {
    super(...(given.length === 0 ? (['rate_limited'] as const) : given))
    this.allowance = allowance
  }

  override get headers() {
    const resetAt = this.allowance?.resetAt.toUTCString()
    return { ...super.headers, ...(resetAt === undefined ? {} : { 'Retry-After': resetAt }) }
  }
}

/** A dependency of this server does not answer now; a later retry may work. */
export class Unavailable extends AppError {
  readonly name: string = 'Unavailable'
  readonly status = 503
}

/** The account of the operator lacks the image service, or has not enabled it: pictures are kept as they are. */
export class NoImageService extends Unavailable {
  override readonly name = 'NoImageService'
}

/** Too many concurrent requests of this kind. */
export class Overloaded extends Unavailable {
  override readonly name = 'Overloaded'
  readonly #retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('overloaded')
    this.#retryAfterSeconds = retryAfterSeconds
  }

  override get headers() {
    return { ...super.headers, 'Retry-After': String(this.#retryAfterSeconds) }
  }
}

/** Given up for the rest of the day (UTC), because a daily quota of the platform is nearly used up. */
export class QuotaSpent extends Unavailable {
  override readonly name = 'QuotaSpent'
  readonly #retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('quota_spent')
    this.#retryAfterSeconds = retryAfterSeconds
  }

  override get headers() {
    return { ...super.headers, 'Retry-After': String(this.#retryAfterSeconds) }
  }
}

/** A request to a remote server failed or was not allowed: bad address, no answer in time, broken connection. */
export class Unreachable extends Error {
  override readonly name: string = 'Unreachable'
}

/** Local request limit of one step reached: says nothing about the remote server. */
export class OverBudget extends Unreachable {
  override readonly name = 'OverBudget'
}

/** Not allowed to be requested at all, now or later. */
export class NotAsked extends Unreachable {
  override readonly name = 'NotAsked'
}
