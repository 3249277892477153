import { execute } from '../db/query'
import { type ApplicationRow, findApplication, isClientSecretValid } from '../domain/sessions/applications'
import { BadRequest } from '../errors'
import { readParams } from '../lib/params'
import type { Ctx } from '../ports/ctx'
import { invalidClient, malformedRequest } from './errors'

/** A request to the token or revocation endpoint: its parameters as texts, with the client's credentials. */
export interface ClientRequest {
  readonly param: (name: string) => string
  readonly clientId: string
  /** Empty if the client sent none. */
  readonly clientSecret: string
}

/** Reads body and query, and the credentials from the Authorization header or the body. */
export async function readClientRequest(ctx: Ctx, request: Request): Promise<ClientRequest> {
  const params = await readParams(ctx.bodies, request, { kind: 'stranger' })
  const param = (name: string) => {
    const sent = Object.hasOwn(params, name) ? params[name] : ''
    if (typeof sent === 'string') return sent
    if (sent === null || sent === undefined) return ''
    throw malformedRequest()
  }
  const basic = basicCredentials(request.headers.get('authorization'))
  const clientId = basic?.id ?? param('client_id')
  return { param, clientId, clientSecret: basic?.secret ?? param('client_secret') }
}

/** RFC 6749, 2.3.1: form-encoded id and secret, joined by a colon, in base64. */
function basicCredentials(header: string | null): { readonly id: string; readonly secret: string } | null {
  const encoded = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  const text = decoded(encoded)
  const colon = text.indexOf(':')
  if (colon < 0) throw invalidClient()
  return { id: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) }
}

function decoded(base64: string): string {
  try {
    return atob(base64)
  } catch (cause) {
    throw new BadRequest('The Authorization header is not base64', cause)
  }
}

function formDecoded(text: string): string {
  return new URLSearchParams(`v=${text}`).get('v') ?? ''
}

/** The client, authenticated by its secret; `invalid_client` otherwise. */
export async function authenticateClient(ctx: Ctx, request: ClientRequest): Promise<ApplicationRow> {
  if (request.clientId === '') throw invalidClient()
  const application = await execute(ctx.db, findApplication(ctx, request.clientId))
  if (application === null || !(await isClientSecretValid(application, request.clientSecret)))
    throw invalidClient()
  return application
}
