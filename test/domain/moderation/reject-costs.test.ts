import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openDb } from '../../../src/db/query'
import { rejectMember } from '../../../src/domain/moderation/delete-account'
import { operator } from '../../../src/domain/policy/permissions'
import { countingDb } from '../../support/costs'
import { given } from '../../support/given'
import { storedStatus } from '../../support/given-stored'
import { remoteMasses } from '../../support/masses'
import { context } from '../../support/test-app'

async function rejected() {
  const { id } = await given.account()
  await env.DB.prepare('update users set approved = 0 where account_id = ?').bind(id).run()
  const counted = countingDb(env.DB)
  await rejectMember(context({ db: openDb(counted.db) }), operator, id)
  expect(await env.DB.prepare('select 1 from accounts where id = ?').bind(id).first()).toBeNull()
  return counted.read().rowsRead
}

it('rejecting a sign-up costs the same with ten and two thousand rows of everything that names accounts', async () => {
  const few = await rejected()
  const reader = await given.account()
  const status = await storedStatus({ accountId: reader.id })
  const { from, count } = await remoteMasses({ count: 2_000, inboxes: 50 })
  const accounts = `from accounts where id >= ${from} and id < ${from} + ${count}`
  await env.DB.batch(
    [
      `insert into notifications (id, account_id, type, from_account_id, status_id, created_at)
        select id, ${reader.id}, 'favourite', id, ${status}, 0 ${accounts}`,
      `insert into status_mentions (status_id, account_id) select ${status}, id ${accounts}`,
      `insert into mutes (id, account_id, target_account_id, created_at) select id, ${reader.id}, id, 0 ${accounts}`,
      `insert into account_notes (account_id, target_account_id, comment) select ${reader.id}, id, 'x' ${accounts}`,
      `insert into media_attachments (id, account_id, type, mime, size_bytes, file_key, created_at)
        select id, ${reader.id}, 'image', 'image/png', 1, 'k', 0 ${accounts}`,
      `insert into polls (id, account_id, status_id, options, tallies) select id, id, ${status}, '[]', '[]' ${accounts}`,
      `insert into poll_votes (poll_id, account_id, choice) select id, id, 0 ${accounts}`,
    ].map((text) => env.DB.prepare(text)),
  )
  const many = await rejected()
  expect(many).toBeLessThanOrEqual(few + 5)
  expect(many).toBeLessThanOrEqual(150)
})
