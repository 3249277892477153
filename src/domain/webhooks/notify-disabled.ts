import { sql } from 'drizzle-orm'
import { execute, rows } from '../../db/query'
import type { Ctx } from '../../platform/ports'
import { hasStaffPermission } from '../users/find-staff'
import type { Webhook } from './find'

/** Mails those who look after webhooks that one was disabled because it failed for three days. */
export async function mailDisabledWebhook(ctx: Ctx, { url }: Pick<Webhook, 'url'>): Promise<void> {
  const { mailer, config } = ctx
  if (mailer === null) return
  const recipients = ctx.db
    .select({ email: sql<string>`u.email`.as('email') })
    .from(sql`roles role cross join users u`)
    .where(hasStaffPermission('manageWebhooks'))
  const { host } = new URL(url)
  for (const { email } of await execute(ctx.db, rows(recipients))) {
    await mailer.send({
      to: email,
      subject: `A webhook of ${config.domain} was disabled`,
      text: `The webhook at ${host} has failed for three days and was disabled. What happens on ${config.domain} is not delivered
to it any more.

Its log of deliveries says why. Enable it again once it answers: npm run webhooks -- enable, or by the API.
`,
    })
  }
}
