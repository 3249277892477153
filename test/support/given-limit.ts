import { domainLimits } from '../../src/db/schema'
import { clock, context } from './test-app'

/** Limits a domain, as a moderator does. */
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
