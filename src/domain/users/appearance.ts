import { eq } from 'drizzle-orm'
import { first, type Query } from '../../db/query'
import { users } from '../../db/schema'
import { InvalidFields } from '../../errors'
import { problem } from '../../errors/sentences'
import { isTimeZone } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import { pageLanguageOf } from '../../lib/page-language'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Language of pages and mails, and time zone of dates. */
export interface Appearance {
  /** Empty where none is chosen. */
  readonly locale: string
  /** IANA name; null where none is chosen. */
  readonly timeZone: string | null
}

/** The appearance that a user chose; null for an unknown account. One statement. */
export function findAppearance(ctx: Ctx, accountId: AccountId): Query<Appearance | null> {
  const { locale, timeZone } = users
  return first(ctx.db.select({ locale, timeZone }).from(users).where(eq(users.accountId, accountId)))
}

/**
 * Saves language and time zone of a user, empty for none. `Invalid` by field for a language without pages and for a time
 * zone that does not exist.
 */
export async function saveAppearance(
  ctx: Ctx,
  accountId: AccountId,
  { locale, timeZone }: { readonly locale: string; readonly timeZone: string },
): Promise<void> {
  const language = locale === '' ? '' : pageLanguageOf(locale)
  if (language === null) throw new InvalidFields([problem('not_in_list', { field: 'locale' })])
  if (timeZone !== '' && !isTimeZone(timeZone))
    throw new InvalidFields([problem('not_in_list', { field: 'time_zone' })])
  const chosen = { locale: language, timeZone: timeZone === '' ? null : timeZone }
  await commit(ctx, new Changes().add(ctx.db.update(users).set(chosen).where(eq(users.accountId, accountId))))
}
