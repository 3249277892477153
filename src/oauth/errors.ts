import { AppError } from '../errors'

/** An error of RFC 6749, 5.2: a code for programs and a sentence for their makers. */
export class OAuthError extends AppError {
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

/** A parameter that has to be there, and is not. */
export const missingParameter = (what: string) =>
  new OAuthError(400, 'invalid_request', `Missing required parameter: ${what}.`)

/** A parameter of another form than a text. */
export const malformedRequest = () =>
  new OAuthError(
    400,
    'invalid_request',
    'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  )

/** One answer for every way in which a client can fail to prove itself. */
export const invalidClient = () =>
  new OAuthError(
    401,
    'invalid_client',
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  )

/** One answer for every way in which a code can fail, so that nothing can be learned by trying. */
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
