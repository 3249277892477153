import { AppError } from '../errors'

/** An error of RFC 6749, 5.2: a code for programs and a sentence for their makers. */
export class OAuthRefusal extends AppError {
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

export const invalidRequest = (what: string) =>
  new OAuthRefusal(400, 'invalid_request', `The parameter ${what} is missing or not a text.`)

/** One answer for every way in which a client can fail to prove itself. */
export const invalidClient = () =>
  new OAuthRefusal(401, 'invalid_client', 'The client is unknown, or its credentials are wrong.')

/** One answer for every way in which a code can fail, so that nothing can be learned by trying. */
export const invalidGrant = () =>
  new OAuthRefusal(
    400,
    'invalid_grant',
    'The code is unknown, used, expired, or was not issued to this client.',
  )

export const invalidScope = () =>
  new OAuthRefusal(400, 'invalid_scope', 'A scope is unknown or beyond what the client has registered for.')

export const unsupportedGrant = () =>
  new OAuthRefusal(
    400,
    'unsupported_grant_type',
    'The grant types are authorization_code and client_credentials.',
  )

export const unauthorizedClient = () =>
  new OAuthRefusal(403, 'unauthorized_client', 'The token does not belong to this client.')
