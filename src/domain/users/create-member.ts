import { sql } from 'drizzle-orm'
import { accountKeys, accounts, users } from '../../db/schema'
import { InvalidFields } from '../../errors'
import { problem } from '../../errors/sentences'
import type { AccountId, ApplicationId, InviteId, RoleId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { SealedKeyPair } from '../../ports/services'
import type { Changes } from '../core/changes'
import { countUser } from '../metrics/counters'
import { incrementWeek, sourceCounter } from '../metrics/daily-counters'
import { hasUsername } from './find'

/** Validated data of a new member. */
export interface NewMember {
  /** Chosen before, because the private key is encrypted for it. */
  readonly accountId: AccountId
  readonly username: string
  readonly displayName: string
  readonly email: string
  readonly passwordHash: string
  readonly keys: SealedKeyPair
  readonly roleId: RoleId | null
  /** Empty where none was chosen. */
  readonly locale: string
  readonly timeZone: string | null
  readonly confirmed: boolean
  readonly approved: boolean
  readonly reason: string | null
  readonly ip: string | null
  readonly applicationId: ApplicationId | null
  readonly inviteId: InviteId | null
  /** Members who signed up themselves are led to the first steps. */
  readonly firstStepsDue: boolean
}

/**
 * Adds account, keys, user and counters to `changes`; the uniqueness of name and address is checked again at
 * commit.
 */
export function addMember(ctx: Ctx, changes: Changes, member: NewMember): void {
  const now = ctx.clock.now()
  const { accountId: id, username, displayName, email, passwordHash, keys } = member
  const name = hasUsername(username.toLowerCase())
  changes
    .require(
      sql`not exists (select 1 from ${accounts} where ${name})`,
      new InvalidFields([problem('taken', { field: 'username' })]),
    )
    .require(
      sql`not exists (select 1 from ${users} where lower(${users.email}) = ${email.toLowerCase()})`,
      new InvalidFields([problem('taken', { field: 'email' })]),
    )
    .add(
      ctx.db
        .insert(accounts)
        .values({ id, username, displayName, publicKey: keys.publicKey, createdAt: now, updatedAt: now }),
      ctx.db.insert(accountKeys).values({ accountId: id, privateKey: keys.privateKey, createdAt: now }),
      ctx.db.insert(users).values({
        accountId: id,
        email,
        passwordHash,
        createdAt: now,
        roleId: member.roleId,
        locale: member.locale,
        timeZone: member.timeZone,
        confirmedAt: member.confirmed ? now : null,
        approved: member.approved,
        signUpReason: member.reason,
        signUpIp: member.ip,
        createdByApplicationId: member.applicationId,
        inviteId: member.inviteId,
        firstStepsDue: member.firstStepsDue,
      }),
      countUser(ctx, id, 1),
      incrementWeek(ctx, now, {
        weekly: 'registrations',
        daily: { registrations: 1, [sourceCounter(member.applicationId)]: 1 },
      }),
    )
    .emit({ kind: 'account.created', accountId: id })
}
