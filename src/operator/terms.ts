import { Hono } from 'hono'
import * as z from 'zod'
import { CalendarDate } from '../contract/scalars'
import { both, execute } from '../db/query'
import { cancelTerms, scheduleTerms } from '../domain/instance/schedule-terms'
import { dayText, findTerms, termsOf } from '../domain/instance/terms'
import { findTermsNotices, notifyOfTerms } from '../domain/instance/terms-notices'
import { idOfHandle } from '../domain/moderation/find-target'
import { previewTermsMail } from '../domain/users/mail-terms'
import { NotFound } from '../errors'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Published = z.object({
  text: z.string(),
  changelog: z.string().default(''),
  date: CalendarDate.nullable().default(null),
  notify: z.boolean().default(false),
})
const Named = z.object({ date: z.string() })
const Previewed = Named.extend({ username: z.string() })

/** Routes about the terms of service for operators without a panel. Mounted behind the set-up token. */
export function termsRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/terms/list', async (c) => {
    const ctx = c.get('ctx')
    const [versions, notices] = await execute(ctx.db, both(findTerms(ctx), findTermsNotices(ctx)))
    const today = dayText(ctx.clock.now())
    return c.json({
      versions: versions.map(({ effectiveOn, succeededOn, characters }) => {
        const notice = notices.find((one) => one.effectiveOn === effectiveOn)
        return {
          date: effectiveOn,
          state: stateOf({ effectiveOn, succeededOn }, today),
          characters,
          notified_at: notice?.sentAt ?? null,
          mails: notice?.mails ?? 0,
          finished_at: notice?.finishedAt ?? null,
        }
      }),
    })
  })
  app.post('/setup/terms/show', async (c) => {
    const ctx = c.get('ctx')
    const terms = await execute(ctx.db, termsOf(ctx, (await readInput(c, Named)).date))
    if (terms === null) throw new NotFound()
    return c.json({ text: terms.text, changelog: terms.changelog })
  })
  app.post('/setup/terms/publish', async (c) => {
    const ctx = c.get('ctx')
    const { date, ...draft } = await readInput(c, Published)
    const effectiveOn = date ?? dayText(ctx.clock.now())
    await scheduleTerms(ctx, c.get('moderator'), { ...draft, effectiveOn })
    return c.json({ date: effectiveOn })
  })
  app.post('/setup/terms/preview', async (c) => {
    const ctx = c.get('ctx')
    const { date, username } = await readInput(c, Previewed)
    await previewTermsMail(ctx, await idOfHandle(ctx, username), date)
    return c.json({})
  })
  app.post('/setup/terms/notify', async (c) => {
    await notifyOfTerms(c.get('ctx'), c.get('moderator'), (await readInput(c, Named)).date)
    return c.json({})
  })
  app.post('/setup/terms/cancel', async (c) => {
    await cancelTerms(c.get('ctx'), c.get('moderator'), (await readInput(c, Named)).date)
    return c.json({})
  })
  return app
}

function stateOf(
  { effectiveOn, succeededOn }: { readonly effectiveOn: string; readonly succeededOn: string | null },
  today: string,
): 'ahead' | 'in force' | 'past' {
  if (effectiveOn > today) return 'ahead'
  return succeededOn !== null && succeededOn <= today ? 'past' : 'in force'
}
