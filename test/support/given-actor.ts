import { actorKeys, domainLimits, remoteActors } from '../../src/db/schema'
import { given } from './given'
import { clock, context } from './world'

interface ActorOptions extends NonNullable<Parameters<typeof given.remoteAccount>[0]> {
  readonly publicKey?: string
  readonly actor?: Partial<typeof remoteActors.$inferInsert>
}

/** An account of another server with its addresses and a key, as its document would have been stored. */
export async function remoteActor({ publicKey = 'unused', actor = {}, ...options }: ActorOptions = {}) {
  const account = await given.remoteAccount(options)
  const { id, uri, domain } = account
  const keyId = `${uri}#main-key`
  const { db } = context()
  await db.batch([
    db.insert(remoteActors).values({
      ...{ inbox: `${uri}/inbox`, sharedInbox: `https://${domain}/inbox`, followers: `${uri}/followers` },
      ...{ fetchedAt: clock.now(), ...actor, accountId: id },
    }),
    db.insert(actorKeys).values({ keyId, accountId: id, publicKey, createdAt: clock.now() }),
  ])
  return { ...account, keyId, followers: `${uri}/followers` }
}

/** What a moderator decided about a server. */
export async function domainLimit(
  domain: string,
  severity: 'noop' | 'silence' | 'suspend',
  more: Partial<typeof domainLimits.$inferInsert> = {},
): Promise<void> {
  const ctx = context()
  await ctx.db
    .insert(domainLimits)
    .values({ ...more, domain, severity, id: ctx.ids.next(), createdAt: clock.now() })
}
