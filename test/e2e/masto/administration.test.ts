import { beforeAll, describe, expect, it } from 'vitest'
import { mastoFailure, mastoOf } from '../support/masto'
import { newName, newPerson } from '../support/people'
import { newStaff } from '../support/staff'

describe('administering with masto', () => {
  let owner: Awaited<ReturnType<typeof newStaff>>
  let admin: ReturnType<typeof mastoOf>['v1']['admin']
  beforeAll(async () => {
    owner = await newStaff('owner')
    admin = mastoOf(owner).v1.admin
  })

  it('finds accounts, limits, freezes and suspends them, and takes it back', async () => {
    const target = await newPerson('mallory')
    const [found] = await admin.accounts.list({ local: true, username: target.username })
    expect(found).toMatchObject({
      id: target.id,
      username: target.username,
      approved: true,
      suspended: false,
    })
    const one = admin.accounts.$select(target.id)
    await one.action.create({ type: 'silence', text: 'Too loud' })
    expect(await one.fetch()).toMatchObject({ silenced: true })
    expect(await one.unsilence()).toMatchObject({ silenced: false })
    await one.action.create({ type: 'sensitive' })
    expect(await one.unsensitive()).toMatchObject({ sensitized: false })
    await one.action.create({ type: 'disable' })
    expect((await mastoFailure(mastoOf(target).v1.accounts.verifyCredentials())).statusCode).toBe(403)
    expect(await one.enable()).toMatchObject({ disabled: false })
    await one.action.create({ type: 'suspend', text: 'Spam' })
    expect(await one.fetch()).toMatchObject({ suspended: true })
    expect(await one.unsuspend()).toMatchObject({ suspended: false })
    expect(await mastoOf(target).v1.accounts.verifyCredentials()).toMatchObject({ username: target.username })
  })

  it('reads, assigns, resolves and reopens reports', async () => {
    const [alice, mallory] = [await newPerson('alice'), await newPerson('mallory')]
    const status = await mastoOf(mallory).v1.statuses.create({ status: 'Buy this!' })
    const { id } = await mastoOf(alice).v1.reports.create({
      accountId: mallory.id,
      statusIds: [status.id],
      comment: 'Spam',
      category: 'spam',
    })
    const report = admin.reports.$select(id)
    const listed = await admin.reports.list({ targetAccountId: mallory.id })
    expect(listed).toMatchObject([{ id, comment: 'Spam', category: 'spam', actionTaken: false }])
    expect((await report.fetch()).statuses).toMatchObject([{ id: status.id }])
    expect((await report.assignToSelf()).assignedAccount).toMatchObject({ username: owner.username })
    expect((await report.unassign()).assignedAccount).toBeNull()
    expect(await report.resolve()).toMatchObject({ actionTaken: true })
    expect(await report.reopen()).toMatchObject({ actionTaken: false })
  })

  it('limits servers and lists those allowed', async () => {
    const domain = `${newName('spam').replace('_', '-')}.example`
    const block = await admin.domainBlocks.create({ domain, severity: 'silence', privateComment: 'a wave' })
    expect(block).toMatchObject({ domain, severity: 'silence', privateComment: 'a wave' })
    const one = admin.domainBlocks.$select(block.id)
    expect(await one.update({ severity: 'suspend' })).toMatchObject({
      severity: 'suspend',
      privateComment: 'a wave',
    })
    await one.remove()
    expect((await mastoFailure(one.fetch())).statusCode).toBe(404)
    const allowed = await admin.domainAllows.create({ domain })
    expect(await admin.domainAllows.$select(allowed.id).fetch()).toMatchObject({ domain })
    await admin.domainAllows.$select(allowed.id).remove()
  })

  it('reads measures, dimensions and retention', async () => {
    const range = { startAt: '2026-01-01T00:00:00Z', endAt: '2026-01-03T00:00:00Z' }
    const measures = await admin.measures.create({ ...range, keys: ['new_users', 'active_users'] })
    expect(measures.map(({ key }) => key)).toEqual(['new_users', 'active_users'])
    expect(measures[0]?.data).toHaveLength(3)
    const [versions] = await admin.dimensions.create({ ...range, keys: ['software_versions'], limit: '5' })
    expect(versions?.data.length).toBeGreaterThan(0)
    const cohorts = await admin.retention.create({ ...range, frequency: 'day' })
    expect(cohorts).toHaveLength(3)
  })

  it('reviews trends', async () => {
    for (const trends of [admin.trends.statuses, admin.trends.tags, admin.trends.links])
      expect(Array.isArray(await trends.list())).toBe(true)
  })

  it('is refused to members, and to moderators where their role ends', async () => {
    const member = mastoOf(await newPerson())
    expect((await mastoFailure(member.v1.admin.reports.list())).statusCode).toBe(403)
    const moderator = mastoOf(await newStaff('moderator'))
    expect(Array.isArray(await moderator.v1.admin.reports.list())).toBe(true)
    expect((await mastoFailure(moderator.v1.admin.domainBlocks.list())).statusCode).toBe(403)
  })
})
