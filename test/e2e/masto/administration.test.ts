import type { mastodon } from 'masto'
import { beforeAll, describe, expect, it } from 'vitest'
import { newAddress } from '../support/address'
import { saveSettings } from '../support/administer'
import { idsOf } from '../support/ids'
import { mastoAnonymous, mastoFailure, mastoOf } from '../support/masto'
import { administrationOfMasto, noting } from '../support/masto-methods'
import { ownServer, runPeriodicTasks } from '../support/operator'
import { newName, newPerson, newTag } from '../support/people'
import { signUp } from '../support/sign-in'
import { newStaff } from '../support/staff'
import { Visitor } from '../support/visitor'

type Admin = mastodon.rest.v1.AdminResource

const range = { startAt: '2026-01-01T00:00:00Z', endAt: '2026-01-03T00:00:00Z' }
const newDomain = () => `${newName('spam').replace('_', '-')}.example`

let owner: Awaited<ReturnType<typeof newStaff>>
beforeAll(async () => {
  owner = await newStaff('owner')
})

/** A new account that waits for approval, because its network needs it. */
async function applicant(admin: Admin) {
  const visitor = new Visitor()
  await admin.ipBlocks.create({ ip: visitor.address, severity: 'sign_up_requires_approval' })
  const { username } = await signUp(visitor)
  const [found] = await admin.accounts.list({ pending: true, username })
  if (found === undefined) throw new Error(`${username} does not wait for approval`)
  return found
}

/** Lets four people, more than it takes then, use a hashtag. Returns the status of the first. */
async function makeTrend(tag: string): Promise<string> {
  await saveSettings(ownServer(), {
    trendMinimumAccounts: 3,
    trendMinimumTagAccounts: 3,
    trendMinimumInteractions: 3,
  })
  const ids: string[] = []
  for (let nth = 0; nth < 4; nth += 1) {
    const { v1 } = mastoOf(await newPerson('reader'))
    await v1.accounts.updateCredentials({ discoverable: true })
    const [first] = ids
    if (first !== undefined) {
      await v1.statuses.$select(first).favourite()
      await v1.statuses.$select(first).reblog()
    }
    ids.push((await v1.statuses.create({ status: `Waxwings! #${tag}`, language: 'en' })).id)
  }
  await runPeriodicTasks()
  return ids[0] ?? ''
}

/** Acts of administrators, by resource of the client: each calls every method of its resource. */
const uses: Readonly<Record<keyof Admin, (admin: Admin) => Promise<void>>> = {
  async accounts(admin) {
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

    const [welcome, unwelcome] = [await applicant(admin), await applicant(admin)]
    expect(await admin.accounts.$select(welcome.id).approve()).toMatchObject({ approved: true })
    expect(await admin.accounts.$select(unwelcome.id).reject()).toMatchObject({
      username: unwelcome.username,
    })
    expect((await mastoFailure(admin.accounts.$select(unwelcome.id).fetch())).statusCode).toBe(404)
  },

  async canonicalEmailBlocks({ canonicalEmailBlocks }) {
    const name = newName('mallory').replace('_', '')
    const block = await canonicalEmailBlocks.create({ email: `${name}@mail.example` })
    const variant = `${name.slice(0, 3)}.${name.slice(3)}+again@mail.example`
    expect(await canonicalEmailBlocks.test({ email: variant })).toMatchObject([{ id: block.id }])
    expect((await canonicalEmailBlocks.list()).map(({ id }) => id)).toContain(block.id)
    const one = canonicalEmailBlocks.$select(block.id)
    expect(await one.fetch()).toEqual(block)
    await one.remove()
    expect(await canonicalEmailBlocks.test({ email: variant })).toEqual([])
  },

  async dimensions({ dimensions }) {
    const [versions] = await dimensions.create({ ...range, keys: ['software_versions'], limit: '5' })
    expect(versions?.data.length).toBeGreaterThan(0)
  },

  async domainAllows({ domainAllows }) {
    const domain = newDomain()
    const allowed = await domainAllows.create({ domain })
    const one = domainAllows.$select(allowed.id)
    expect(await one.fetch()).toMatchObject({ domain })
    expect((await domainAllows.list()).map((each) => each.domain)).toContain(domain)
    await one.remove()
    expect((await mastoFailure(one.fetch())).statusCode).toBe(404)
  },

  async domainBlocks({ domainBlocks }) {
    const domain = newDomain()
    const block = await domainBlocks.create({ domain, severity: 'silence', privateComment: 'a wave' })
    expect(block).toMatchObject({ domain, severity: 'silence', privateComment: 'a wave' })
    const one = domainBlocks.$select(block.id)
    const stricter = { severity: 'suspend', privateComment: 'a wave' } as const
    expect(await one.update({ severity: 'suspend' })).toMatchObject(stricter)
    expect(await one.fetch()).toMatchObject(stricter)
    expect((await domainBlocks.list()).map((each) => each.domain)).toContain(domain)
    await one.remove()
    expect((await mastoFailure(one.fetch())).statusCode).toBe(404)
  },

  async emailDomainBlocks({ emailDomainBlocks }) {
    const domain = newDomain()
    const block = await emailDomainBlocks.create({ domain })
    const one = emailDomainBlocks.$select(block.id)
    expect(await one.fetch()).toMatchObject({ domain })
    expect((await emailDomainBlocks.list()).map((each) => each.domain)).toContain(domain)
    await one.remove()
    expect((await mastoFailure(one.fetch())).statusCode).toBe(404)
  },

  async ipBlocks({ ipBlocks }) {
    const ip = `${newAddress()}/32`
    const block = await ipBlocks.create({
      ip,
      severity: 'sign_up_block',
      comment: 'A wave',
      expiresIn: 3_600,
    })
    const one = ipBlocks.$select(block.id)
    expect(await one.update({ severity: 'no_access' })).toMatchObject({ ip, severity: 'no_access' })
    expect(await one.fetch()).toMatchObject({ ip, comment: 'A wave' })
    expect((await ipBlocks.list()).map((each) => each.ip)).toContain(ip)
    await one.remove()
    expect((await mastoFailure(one.fetch())).statusCode).toBe(404)
  },

  async measures({ measures }) {
    const found = await measures.create({ ...range, keys: ['new_users', 'active_users'] })
    expect(found.map(({ key }) => key)).toEqual(['new_users', 'active_users'])
    expect(found[0]?.data).toHaveLength(3)
  },

  async reports({ reports }) {
    const [alice, mallory] = [await newPerson('alice'), await newPerson('mallory')]
    const status = await mastoOf(mallory).v1.statuses.create({ status: 'Buy this!' })
    const { id } = await mastoOf(alice).v1.reports.create({
      accountId: mallory.id,
      statusIds: [status.id],
      comment: 'Spam',
      category: 'spam',
    })
    const report = reports.$select(id)
    const listed = await reports.list({ targetAccountId: mallory.id })
    expect(listed).toMatchObject([{ id, comment: 'Spam', category: 'spam', actionTaken: false }])
    expect((await report.fetch()).statuses).toMatchObject([{ id: status.id }])
    expect((await report.assignToSelf()).assignedAccount).toMatchObject({ username: owner.username })
    expect((await report.unassign()).assignedAccount).toBeNull()
    expect(await report.resolve()).toMatchObject({ actionTaken: true })
    expect(await report.reopen()).toMatchObject({ actionTaken: false })
  },

  async retention({ retention }) {
    expect(await retention.create({ ...range, frequency: 'day' })).toHaveLength(3)
  },

  async trends({ trends: { links, statuses, tags } }) {
    const tag = newTag('wave')
    const statusId = await makeTrend(tag)
    const status = statuses.$select(statusId)
    expect(await status.approve()).toMatchObject({ id: statusId, requiresReview: false })
    expect(idsOf(await mastoAnonymous().v1.trends.statuses.list({ limit: 40 }))).toContain(statusId)
    expect(await status.reject()).toMatchObject({ id: statusId })
    expect(Array.isArray(await statuses.list())).toBe(true)

    const one = (await tags.list()).find(({ name }) => name === tag)
    expect(one).toMatchObject({ trendable: false, requiresReview: true })
    expect(await tags.$select(one?.id ?? '').approve()).toMatchObject({ name: tag, trendable: true })
    const shown = (await mastoAnonymous().v1.trends.tags.list({ limit: 20 })).find(({ name }) => name === tag)
    expect(shown?.history).toHaveLength(7)
    expect(shown?.history?.[0]).toMatchObject({ uses: '4', accounts: '4' })
    expect(await tags.$select(one?.id ?? '').reject()).toMatchObject({
      trendable: false,
      requiresReview: false,
    })

    // Pages are fetched by https alone, which nobody speaks here; the federation suite decides about real ones.
    expect(await links.list()).toEqual([])
    expect(await links.publishers.list()).toEqual([])
    for (const item of [links.$select('1'), links.publishers.$select('1')])
      for (const decide of [() => item.approve(), () => item.reject()])
        expect(await mastoFailure(decide())).toMatchObject({ statusCode: 404, message: 'Record not found' })
  },
}

describe('administration with masto', () => {
  const methods = administrationOfMasto()

  it('covers every resource that the client declares', () => {
    expect(Object.keys(uses).toSorted()).toEqual([...methods.keys()].toSorted())
    expect([...methods.values()].flat()).toHaveLength(53)
  })

  it.each(Object.entries(uses))('uses every method of %s', async (resource, use) => {
    const called = new Set<string>()
    await use(noting(mastoOf(owner).v1.admin, called))
    const own = [...called].filter((path) => path.startsWith(`${resource}.`))
    expect(own.toSorted()).toEqual(methods.get(resource)?.toSorted())
  })

  it('administration with masto is refused to members, and to moderators without the permission', async () => {
    const member = mastoOf(await newPerson())
    expect((await mastoFailure(member.v1.admin.reports.list())).statusCode).toBe(403)
    const moderator = mastoOf(await newStaff('moderator'))
    expect(Array.isArray(await moderator.v1.admin.reports.list())).toBe(true)
    expect((await mastoFailure(moderator.v1.admin.domainBlocks.list())).statusCode).toBe(403)
  })
})
