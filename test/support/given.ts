import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { accessTokens, accountKeys, accounts, applications, counters, users } from '../../src/db/schema'
import { hashToken } from '../../src/domain/sessions/find'
import type { Ctx } from '../../src/ports/ctx'
import { localKeyPair } from './fediverse/keys'
import { knownPeer } from './given-peer'
import { status } from './given-status'
import { clock, context } from './test-app'

/** A person made for one test. */
export interface TestAccount {
  readonly id: number
  readonly username: string
  readonly token: string
  readonly email: string
}

let made = 0
/** A name nobody else in the whole run has. */
export function freshName(prefix = 'person'): string {
  made += 1
  return `${prefix}${made}`
}

type AccountRow = typeof accounts.$inferInsert
type UserRow = typeof users.$inferInsert

export interface AccountOptions extends Partial<Omit<AccountRow, 'id'>> {
  readonly user?: Partial<UserRow>
  readonly scopes?: string
}

/** Hash of no password: people made here sign in by token. Tests of signing in go through the vault. */
const noPassword = 'none'

const allScopes = 'read write follow push profile'

/** A local account in good standing with a token of all scopes. */
async function account(options: AccountOptions = {}): Promise<TestAccount> {
  const { user = {}, scopes = allScopes, ...row } = options
  const ctx = context()
  const id = ctx.ids.next()
  const username = row.username ?? freshName()
  const now = clock.now()
  const email = user.email ?? `${username}@mail.test`
  const { publicKey, privateKey } = await localKeyPair(ctx.config.secrets, id)
  const held = await tokenOf(ctx, { accountId: id, scopes })
  // In one batch with the rows of the token: round trips take most of the time of small tests.
  await ctx.db.batch([
    ctx.db.insert(accounts).values({ publicKey, createdAt: now, updatedAt: now, ...row, id, username }),
    ctx.db.insert(accountKeys).values({ accountId: id, privateKey, createdAt: now }),
    ctx.db.insert(users).values({
      accountId: id,
      email,
      passwordHash: noPassword,
      confirmedAt: now,
      lastActiveAt: now,
      createdAt: now,
      ...user,
    }),
    ctx.db.update(counters).set({ value: sql`value + 1` }).where(sql`name = 'users'`),
    ...held.inserts,
  ])
  return { id, username, email, token: held.secret }
}

/** Several of them, in the order they were made. */
async function accountsOf(count: number): Promise<readonly TestAccount[]> {
  const made: TestAccount[] = []
  for (let index = 0; index < count; index += 1) made.push(await account())
  return made
}

/** An account of another server, as federation would have stored it. */
async function remoteAccount(options: Partial<AccountRow> & { readonly domain?: string } = {}) {
  const ctx = context()
  const id = ctx.ids.next()
  const username = options.username ?? freshName('remote')
  const domain = options.domain ?? 'elsewhere.test'
  const now = clock.now()
  const uri = `https://${domain}/users/${username}`
  const url = `https://${domain}/@${username}`
  await ctx.db
    .insert(accounts)
    .values({ uri, url, createdAt: now, updatedAt: now, ...options, id, username, domain })
  return { id, username, domain, uri }
}

interface ApplicationOptions {
  readonly scopes?: string
  readonly name?: string
}

/** An application with the given scopes. */
async function application(options: ApplicationOptions = {}) {
  const { id, clientId, insert } = applicationOf(context(), options)
  await insert
  return { id, clientId }
}

function applicationOf(ctx: Ctx, { name = 'Test app', scopes = allScopes }: ApplicationOptions) {
  const id = ctx.ids.next()
  const clientId = `client-${id}`
  const insert = ctx.db.insert(applications).values({
    id,
    clientId,
    clientSecretHash: 'none',
    name,
    redirectUris: ['urn:ietf:wg:oauth:2.0:oob'],
    createdAt: clock.now(),
    scopes,
  })
  return { id, clientId, insert }
}

interface TokenOptions {
  readonly accountId?: number
  readonly scopes: string
}

/** A token; without `accountId` one of an application acting for itself. */
async function token(options: TokenOptions): Promise<string> {
  const ctx = context()
  const { secret, inserts } = await tokenOf(ctx, options)
  await ctx.db.batch(inserts)
  return secret
}

/** A token, and what stores it with an application of its own. */
async function tokenOf(ctx: Ctx, { accountId, scopes }: TokenOptions) {
  const app = applicationOf(ctx, { scopes })
  const id = ctx.ids.next()
  const secret = `token-${id}`
  const insert = ctx.db.insert(accessTokens).values({
    id,
    tokenHash: await hashToken(secret),
    applicationId: app.id,
    accountId: accountId ?? null,
    scopes,
    createdAt: clock.now(),
    lastUsedAt: clock.now(),
  })
  const inserts = [app.insert, insert] as const
  return { secret, inserts }
}

/** The world a test starts from. */
export const given = {
  account,
  accounts: accountsOf,
  remoteAccount,
  peer: knownPeer,
  application,
  token,
  status,
  env,
}
