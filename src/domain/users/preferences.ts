import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { first, type Query } from '../../db/query'
import { accounts, users } from '../../db/schema'
import type { UserSettings } from '../../db/schema/accounts'
import { quotePolicies, visibilities } from '../../db/schema/statuses'
import type { AccountId } from '../../lib/ids'
import { knownLanguage } from '../../lib/language'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

const KnownLanguage = z.string().refine((code) => knownLanguage(code) === code)

/** Choices on the preferences page. An empty list of languages means all of them. */
const Choice = z.object({
  defaultVisibility: z.enum(visibilities),
  defaultSensitive: z.boolean(),
  /** Null: the locale of the user. */
  defaultLanguage: KnownLanguage.nullable(),
  defaultQuotePolicy: z.enum(quotePolicies),
  chosenLanguages: z
    .array(KnownLanguage)
    .max(200)
    .transform((codes) => (codes.length === 0 ? null : [...new Set(codes)])),
  expandMedia: z.enum(['default', 'show_all', 'hide_all']),
  expandSpoilers: z.boolean(),
  autoplayGifs: z.boolean(),
  showApplication: z.boolean(),
})

/** Settings the defaults of a user depend on; null for an unknown account. One statement. */
export function findOwnSettings(
  ctx: Ctx,
  accountId: AccountId,
): Query<{ readonly settings: UserSettings; readonly locked: boolean; readonly locale: string } | null> {
  return first(
    ctx.db
      .select({ settings: users.settings, locale: users.locale, locked: accounts.locked })
      .from(users)
      .innerJoin(accounts, eq(accounts.id, users.accountId))
      .where(eq(users.accountId, accountId)),
  )
}

/** Parses a choice; null when a value is not offered. */
export function parseChoice(sent: unknown): z.output<typeof Choice> | null {
  return Choice.safeParse(sent).data ?? null
}

/** Saves a user's posting and reading preferences; other settings stay as they are. */
export async function savePreferences(
  ctx: Ctx,
  accountId: AccountId,
  choice: z.output<typeof Choice>,
): Promise<void> {
  // Merged in the database, so that settings changed elsewhere at the same time are not lost; null deletes a
  // setting.
  const settings = sql`json_patch(${users.settings}, ${JSON.stringify(choice)})`
  await commit(
    ctx,
    new Changes()
      .add(ctx.db.update(users).set({ settings }).where(eq(users.accountId, accountId)))
      // Stream connections cache the chosen languages.
      .publish({ kind: 'rules.changed', accountId }),
  )
}
