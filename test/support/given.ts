import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { accessTokens, accountKeys, accounts, applications, counters, users } from '../../src/db/schema'
import { hashToken } from '../../src/domain/sessions/find'
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

/** A local account in good standing with a token of all scopes. */
async function account(options: AccountOptions = {}): Promise<TestAccount> {
  const { user = {}, scopes = 'read write follow push profile', ...row } = options
  const ctx = context()
  const id = ctx.ids.next()
  const username = row.username ?? freshName()
  const now = clock.now()
  const email = user.email ?? `${username}@mail.test`
  const { publicKey, privateKey } = await localKeyPair(ctx.config.secrets, id)
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
  ])
  return { id, username, email, token: await token({ accountId: id, scopes }) }
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

/** An application with the given scopes. */
async function application(options: { readonly scopes?: string; readonly name?: string } = {}) {
  const ctx = context()
  const id = ctx.ids.next()
  await ctx.db.insert(applications).values({
    id,
    clientId: `client-${id}`,
    clientSecretHash: 'none',
    name: options.name ?? 'Test app',
    redirectUris: ['urn:ietf:wg:oauth:2.0:oob'],
    createdAt: clock.now(),
    scopes: options.scopes ?? 'read write follow push profile',
  })
  return { id, clientId: `client-${id}` }
}

/** A token; without `accountId` one of an application acting for itself. */
async function token(options: { readonly accountId?: number; readonly scopes: string }): Promise<string> {
  const ctx = context()
  const app = await application({ scopes: options.scopes })
  const id = ctx.ids.next()
  const secret = `token-${id}`
  await ctx.db.insert(accessTokens).values({
    id,
    tokenHash: await hashToken(secret),
    applicationId: app.id,
    accountId: options.accountId ?? null,
    scopes: options.scopes,
    createdAt: clock.now(),
    lastUsedAt: clock.now(),
  })
  return secret
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
