import { eq, sql } from 'drizzle-orm'
import { accountKeys } from '../../src/db/schema'
import { seal } from '../../src/lib/sealing'
import { type InstanceSecrets, instanceSecrets } from '../../src/lib/secrets'
import { localKeyPair } from './fediverse/keys'
import { given, type TestAccount } from './given'
import { givenDerivedToken } from './oauth'
import { context } from './test-app'

/** Secret of the tests, which the vault has alone. */
export const ownSecret = context().config.secrets.current.text
export const formerSecret = 'the secret of the server before it was replaced'
export const oldestSecret = 'the very first secret that the server ever had'

/** Context of a server with these secrets. */
export function contextUnder(current: string, ...accepted: readonly string[]) {
  return context(configUnder(current, ...accepted))
}

export function configUnder(current: string, ...accepted: readonly string[]) {
  return { config: { ...context().config, secrets: instanceSecrets(current, accepted) } }
}

/** A local account whose key is encrypted under a former secret. */
export async function givenFormerKey(text = formerSecret): Promise<TestAccount> {
  const account = await given.account()
  const { privateKey } = await localKeyPair(instanceSecrets(text), account.id)
  await context().db.update(accountKeys).set({ privateKey }).where(eq(accountKeys.accountId, account.id))
  return account
}

/** Rows of an account as a server stored them under `text` before secrets were stored, or bound to their rows. */
export async function givenFormerValues(text = formerSecret) {
  const secrets = instanceSecrets(text)
  const account = await givenFormerKey(text)
  const { db, ids } = context()
  const { privateKey } = await localKeyPair(secrets, account.id)
  const app = await given.application()
  const grant = { applicationId: app.id, accountId: account.id, scopes: 'read push' }
  const token = await givenDerivedToken({ ...grant, secrets })
  const webhookId = ids.next()
  const passkeyId = ids.next()
  const totp = await sealText(secrets, account.id)
  await db.run(
    sql`update account_keys set previous_private_key = ${privateKey} where account_id = ${account.id}`,
  )
  await db.run(
    sql`insert into totp_secrets (account_id, sealed_secret, created_at) values (${account.id}, ${totp}, 0)`,
  )
  await db.run(sql`insert into push_subscriptions (access_token_id, account_id, endpoint, p256dh, auth, created_at)
    select id, account_id, 'https://push.test/' || id, '', '', 0 from access_tokens where account_id = ${account.id} and derived = 1
    order by id desc limit 1`)
  await db.run(sql`insert into webhooks (id, url, events, created_at, updated_at)
    values (${webhookId}, ${`https://receiver.test/${webhookId}`}, '[]', 0, 0)`)
  await db.run(sql`insert into passkeys (id, account_id, name, credential_id, public_key, sign_count, created_at)
    values (${passkeyId}, ${account.id}, 'a key', ${`credential ${passkeyId}`}, '', 0, 0)`)
  const pushKey = await seal(secrets, { kind: 'push key', owner: 0 }, new TextEncoder().encode('a push key'))
  await db.run(sql`insert into settings (key, value, updated_at)
    values ('vapid', ${JSON.stringify({ publicKey: 'B', privateKey: pushKey })}, 0)`)
  return { account, token, webhookId, passkeyId, secrets }
}

function sealText(secrets: InstanceSecrets, owner: number): Promise<string> {
  return seal(secrets, { kind: 'authenticator app', owner }, new TextEncoder().encode('twenty bytes of it..'))
}
