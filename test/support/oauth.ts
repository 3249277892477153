import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { execute } from '../../src/db/query'
import { accessTokens } from '../../src/db/schema'
import { findApplication } from '../../src/domain/sessions/applications'
import { issueCode } from '../../src/domain/sessions/authorize'
import { hashToken } from '../../src/domain/sessions/find'
import { parseScopes } from '../../src/domain/sessions/scopes'
import { type InstanceSecrets, sha256, sign } from '../../src/lib/secrets'
import { anonymous } from './as'
import { freshName } from './given'
import { clock, context } from './test-app'

const Credentials = z.object({ id: z.string(), client_id: z.string(), client_secret: z.string() })
const Token = z.object({ access_token: z.string(), scope: z.string() })

export interface Client {
  readonly id: number
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}

interface ClientOptions {
  readonly scopes?: string
  readonly redirectUri?: string
  readonly name?: string
}

let clients = 0

/** A client registered through the API, each from an address of its own so that no limit is met. */
export async function registerClient(options: ClientOptions = {}): Promise<Client> {
  const redirectUri = options.redirectUri ?? 'https://client.test/back'
  clients += 1
  const answer = await anonymous.post(
    '/api/v1/apps',
    {
      client_name: options.name ?? freshName('client'),
      redirect_uris: redirectUri,
      scopes: options.scopes ?? 'read write follow push profile',
    },
    { headers: { 'cf-connecting-ip': `2001:db8:${clients.toString(16)}::1` } },
  )
  const body = Credentials.parse(answer.body)
  return { id: Number(body.id), clientId: body.client_id, clientSecret: body.client_secret, redirectUri }
}

/** An address nobody else in the whole run has. */
export function freshIp(): string {
  clients += 1
  return `2001:db8:${clients.toString(16)}::1`
}

export const verifier = 'v'.repeat(43)

/** A code as the consent page makes it. */
export async function givenCode(
  client: Client,
  accountId: number,
  options: { readonly scopes?: string; readonly withChallenge?: boolean } = {},
): Promise<string> {
  const ctx = context()
  const application = await execute(ctx.db, findApplication(ctx, client.clientId))
  if (application === null) throw new Error('There is no such client')
  return issueCode(ctx, accountId, {
    application,
    redirectUri: client.redirectUri,
    mode: 'query',
    state: null,
    scopes: parseScopes(options.scopes ?? 'read') ?? [],
    codeChallenge: options.withChallenge === true ? await sha256(verifier) : null,
  })
}

type Params = Readonly<Record<string, string>>

/** Asks the token endpoint as the client, with `more` on top. */
export function askForToken(client: Client, more: Params) {
  return anonymous.post('/oauth/token', {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    ...more,
  })
}

export function exchange(client: Client, code: string, more: Params = {}) {
  return askForToken(client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    ...more,
  })
}

export function tokenIn(body: unknown): string {
  return Token.parse(body).access_token
}

/** A token of the application itself. */
export async function appToken(client: Client, scope = 'read write'): Promise<string> {
  return tokenIn((await askForToken(client, { grant_type: 'client_credentials', scope })).body)
}

/** Tokens nobody knows the text of, as an older version left them: one more at every call. */
export async function givenOldTokens(
  client: Client,
  count: number,
  row: { readonly scopes: string; readonly createdAt: Date; readonly accountId?: number },
): Promise<void> {
  const { db, ids } = context()
  const made = Array.from({ length: count }, () => ids.next())
  await db.run(sql`insert into access_tokens (id, token_hash, application_id, account_id, scopes, created_at)
    select value, 'old ' || value, ${client.id}, ${row.accountId ?? null}, ${row.scopes}, ${row.createdAt.getTime()}
    from json_each(${JSON.stringify(made)})`)
}

/** A token as servers made them before tokens were random: derived from their secret and the id of the row. */
export async function givenDerivedToken(row: {
  readonly applicationId: number
  readonly scopes: string
  readonly accountId?: number
  readonly secrets?: InstanceSecrets
}): Promise<string> {
  const { db, ids, config } = context()
  const { applicationId, scopes, accountId = null, secrets = config.secrets } = row
  const id = ids.next()
  const token = await sign(secrets, 'access token', String(id))
  await db.insert(accessTokens).values({
    id,
    tokenHash: await hashToken(token),
    applicationId,
    accountId,
    scopes,
    createdAt: clock.now(),
  })
  return token
}
