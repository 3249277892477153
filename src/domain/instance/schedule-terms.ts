import { eq, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { settings, termsOfService } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { settingKey } from './settings'
import { addTerms, dayText, requireUnchangedTerms, type TermsDraft, termsOf } from './terms'
import { addTermsNotice } from './terms-notices'

const mostCharacters = 100_000
const mostChangelog = 10_000
const key = settingKey('termsOfService')

/**
 * Publishes a version of the terms that comes into force on a day from today on, YYYY-MM-DD. A version of the same day
 * is replaced; with `notify` members are notified. `Invalid` for an empty or too long text, for a day that is past, and for
 * one whose version members were notified of; `Conflict` where another moderator publishes one of that day at the same time.
 */
export async function scheduleTerms(
  ctx: Ctx,
  moderator: Moderator,
  draft: TermsDraft & { readonly notify: boolean },
): Promise<void> {
  const { text, changelog, effectiveOn, notify } = draft
  if (text.trim() === '') throw new Invalid('blank', { field: 'text' })
  if (text.length > mostCharacters) throw new Invalid('too_long', { field: 'text', max: mostCharacters })
  if (changelog.length > mostChangelog)
    throw new Invalid('too_long', { field: 'changelog', max: mostChangelog })
  if (effectiveOn < dayText(ctx.clock.now())) throw new Invalid('day_passed', { field: 'effective_date' })
  const before = await execute(ctx.db, termsOf(ctx, effectiveOn))
  const changes = addTerms(ctx, new Changes(), draft, before).add(showTerms(ctx, text))
  if (notify) addTermsNotice(ctx, changes, { effectiveOn, publishedAt: ctx.clock.now() }, moderator)
  recordAudit(ctx, changes, moderator, {
    action: before === null ? 'create' : 'update',
    target: { type: 'terms_of_service', id: null, label: effectiveOn },
    ...(before === null ? {} : { before: { characters: before.text.length } }),
    after: { characters: text.length, ...(notify ? { notify } : {}) },
  })
  await commit(ctx, changes)
}

/**
 * Deletes a version that is not in force yet, with its notice. `Invalid` for another, which members have agreed to;
 * `Conflict` where it is changed at the same time.
 */
export async function cancelTerms(ctx: Ctx, moderator: Moderator, effectiveOn: string): Promise<void> {
  const terms = await execute(ctx.db, termsOf(ctx, effectiveOn))
  if (terms === null) throw new NotFound()
  if (effectiveOn <= dayText(ctx.clock.now())) throw new Invalid('terms_in_force')
  const changes = requireUnchangedTerms(new Changes(), effectiveOn, terms).add(
    ctx.db.delete(termsOfService).where(eq(termsOfService.effectiveOn, effectiveOn)),
    ctx.db
      .delete(settings)
      .where(sql`${settings.key} = ${key} and not exists (select 1 from terms_of_service)`),
  )
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: { type: 'terms_of_service', id: null, label: effectiveOn },
    before: { characters: terms.text.length },
  })
  await commit(ctx, changes)
}

/** A statement that shows the terms of the server where there were none: the setting says whether there are any. */
function showTerms(ctx: Ctx, text: string) {
  return ctx.db.run(sql`insert into ${settings} (key, value, updated_at)
    values (${key}, ${JSON.stringify(text)}, ${ctx.clock.now().getTime()})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
      where settings.value = 'null'`)
}
