import { AppError } from '../errors'

/** An error of RFC 6749, 5.2: a code for programs and a sentence for developers. */
export class OAuthError extends AppError {
  readonly name = 'OAuthError'
  readonly status: 400 | 401 | 403
  readonly #description: string

  constructor(status: 400 | 401 | 403, error: string, description: string) {
    super(error)
    this.status = status
    this.#description = description
  }

  override get extra() {
    return { error_description: this.#description }
  }

  override get headers(): Readonly<Record<string, string>> {
    const uncached = { 'Cache-Control': 'no-store' }
    return this.status === 401 ? { ...uncached, 'WWW-Authenticate': 'Basic realm="Fieldfare"' } : uncached
  }
}

/** A required parameter is missing. */
export const missingParameter = (what: string) =>
  new OAuthError(400, 'invalid_request', `Missing required parameter: ${what}.`)

/** A parameter is not a text. */
export const malformedRequest = () =>
  new OAuthError(
    400,
    'invalid_request',
    'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  )

/** A single error for every failure of client authentication. */
export const invalidClient = () =>
  new OAuthError(
    401,
    'invalid_client',
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  )

/** A single error for every failure of a code, so that trying reveals nothing. */
export const invalidGrant = () =>
  new OAuthError(
    400,
    'invalid_grant',
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  )

export const invalidScope = () =>
  new OAuthError(400, 'invalid_scope', 'The requested scope is invalid, unknown, or malformed.')

export const unsupportedGrant = () =>
  new OAuthError(
    400,
    'unsupported_grant_type',
    'The authorization grant type is not supported by the authorization server.',
  )

export const unauthorizedClient = () =>
  new OAuthError(403, 'unauthorized_client', 'You are not authorized to revoke this token')
