import { beforeAll, describe, expect, it } from 'vitest'
import { type AuditAction, pruneAuditAddresses, recordAudit } from '../../../src/domain/core/audit'
import { Changes, commit } from '../../../src/domain/core/changes'
import type { Moderator } from '../../../src/domain/core/viewer'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { givenStaff } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/audit_log'

async function record(moderator: TestAccount, action: AuditAction, targetId: number) {
  const ctx = context()
  const by: Moderator = {
    accountId: moderator.id,
    username: moderator.username,
    permissions: 0,
    position: 10,
    ip: '198.51.100.7',
  }
  const changes = recordAudit(ctx, new Changes(), by, {
    action,
    target: { type: 'account', id: targetId, label: 'mallory' },
    before: { limited: false },
    after: { limited: true },
  })
  await commit(ctx, changes)
}

describe('the audit log', () => {
  let reader: TestAccount
  let moderator: TestAccount
  beforeAll(async () => {
    reader = await givenStaff({ permissions: ['viewAuditLog'] })
    moderator = await given.account()
    for (const [at, action] of (['silence', 'suspend', 'unsuspend'] as const).entries())
      await record(moderator, action, 1_000 + at)
  })

  it('shows who did what to whom, before and after', async () => {
    const answer = await as(reader).get(`${path}?target_type=account&target_id=1000`)
    expect(answer.body).toMatchObject([
      {
        account_id: String(moderator.id),
        username: moderator.username,
        action: 'silence',
        target_type: 'account',
        target_id: '1000',
        target_label: 'mallory',
        before: { limited: false },
        after: { limited: true },
        ip: '198.51.100.7',
      },
    ])
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
  })

  it('pages newest first, in both directions', async () => {
    const acts = `account_id=${moderator.id}&limit=2`
    const newest = await as(reader).get(`${path}?${acts}`)
    expect(newest.body).toMatchObject([{ action: 'unsuspend' }, { action: 'suspend' }])
    const older = await as(reader).get(newest.links.next ?? '')
    expect(older.body).toMatchObject([{ action: 'silence' }])
    const newer = await as(reader).get(older.links.prev ?? '')
    expect(newer.body).toMatchObject([{ action: 'unsuspend' }, { action: 'suspend' }])
  })

  it('keeps an entry with its name when its moderator is deleted', async () => {
    const leaver = await given.account()
    await record(leaver, 'resolve', 2_000)
    await given.env.DB.prepare('delete from accounts where id = ?').bind(leaver.id).run()
    const answer = await as(reader).get(`${path}?target_type=account&target_id=2000`)
    expect(answer.body).toMatchObject([{ account_id: null, username: leaver.username }])
  })

  it('deletes the address after a year, and nothing else', async () => {
    await record(moderator, 'approve', 3_000)
    clock.advance(364 * 86_400_000)
    await pruneAuditAddresses(context())
    const entry = () => as(reader).get(`${path}?target_type=account&target_id=3000`)
    expect((await entry()).body).toMatchObject([{ ip: '198.51.100.7' }])
    clock.advance(2 * 86_400_000)
    await pruneAuditAddresses(context())
    expect((await entry()).body).toMatchObject([{ ip: null, action: 'approve' }])
  })
})
