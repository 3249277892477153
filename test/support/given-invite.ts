import { invites } from '../../src/db/schema'
import type { TestAccount } from './given'
import { clock, context } from './test-app'

type InviteRow = typeof invites.$inferInsert

/** An invitation, made by hand: how people make them is tested on the page. */
export async function invite(by: TestAccount, options: Partial<InviteRow> = {}) {
  const ctx = context()
  const id = ctx.ids.next()
  const row = { id, code: `code${id}`, accountId: by.id, createdAt: clock.now(), ...options }
  await ctx.db.insert(invites).values(row)
  return { id, code: row.code }
}
