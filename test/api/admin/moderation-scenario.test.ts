import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AdminReport, AuditLogEntry } from '../../../src/contract/entities/admin/report'
import { Notification } from '../../../src/contract/entities/notification'
import { AdminAppeal, Strike } from '../../../src/contract/entities/report'
import { Status } from '../../../src/contract/entities/status'
import { accountDeletions } from '../../../src/db/schema'
import { allScopes } from '../../../src/domain/sessions/scopes'
import { streamObjects } from '../../../src/wire'
import { as } from '../../support/as'
import { Browser } from '../../support/browser'
import { runCourierAlarms } from '../../support/courier'
import { fediverse } from '../../support/fediverse'
import type { Peer } from '../../support/fediverse/peer'
import { given, type TestAccount } from '../../support/given'
import { fakeMailScenario } from '../../support/given-mail'
import { relation } from '../../support/given-relationships'
import { givenOwner } from '../../support/given-staff'
import { givenMember, password } from '../../support/members'
import { openStreamSocket, type TestSocket } from '../../support/streaming'
import { clock, context, settleLateWork, useStreamTargets } from '../../support/test-app'

const admin = '/api/v1/admin'
const own = '/api/fieldfare/v1/admin'
const Named = z.looseObject({ id: z.string() })

beforeEach(() => useStreamTargets(streamObjects(env)))

/** Mails wait in this office until a test hands them out. */
type Office = ReturnType<typeof fakeMailScenario>

/** Statuses that came on a stream, by their texts. */
async function textsOn(socket: TestSocket): Promise<readonly string[]> {
  const frames = await socket.rest()
  return frames
    .filter(({ event }) => event === 'update')
    .map(({ stream = [], payload = '' }) => `${stream} ${Status.parse(JSON.parse(payload)).content}`)
}

async function notificationsOn(socket: TestSocket): Promise<readonly Notification[]> {
  const frames = await socket.rest()
  return frames
    .filter(({ event }) => event === 'notification')
    .map(({ payload = '' }) => Notification.parse(JSON.parse(payload)))
}

/** Delivers a post that mentions a member to the shared inbox, signed, as the server of its author would. */
async function deliver(peer: Peer, office: Office, mentioned: TestAccount, text: string) {
  clock.advance(1_000)
  const note = peer.note({ content: `<p>${text}</p>`, mentions: [fediverse.local(mentioned)] })
  const reply = await peer.send(peer.create(note), { overrides: office.overrides })
  expect(reply.status).toBe(202)
  return note.id
}

async function publish(by: TestAccount, text: string): Promise<string> {
  clock.advance(1_000)
  return Named.parse((await as(by).post('/api/v1/statuses', { status: text })).body).id
}

/** Texts of the newest statuses of a timeline that are among `texts`. */
async function shownTo(reader: TestAccount, timeline: string, texts: readonly string[]) {
  const { body } = await as(reader).get(`/api/v1/timelines/${timeline}?limit=40`)
  const contents = Status.array()
    .parse(body)
    .map(({ content }) => content)
  return texts.filter((text) => contents.includes(`<p>${text}</p>`))
}

const handleOf = ({ username }: TestAccount) => `@${username}@fieldfare.test`

async function mailsTo(office: Office, { email }: TestAccount) {
  return (await office.deliver()).filter(({ to }) => to === email)
}

async function auditLogOf(moderator: TestAccount): Promise<readonly AuditLogEntry[]> {
  const { body } = await as(moderator).get(`${own}/audit_log?account_id=${moderator.id}&limit=100`)
  return AuditLogEntry.array().parse(body).toReversed()
}

const entryOf = ({ action, target_type, target_label, before, after }: AuditLogEntry) => ({
  did: `${action} ${target_type} ${target_label}`,
  before,
  after,
})

describe('a wave of remote spam', () => {
  it('a wave of remote spam is reported, limited, punished too widely, and undone: by API, streams, federation and mail', async () => {
    const office = fakeMailScenario()
    const [mia, alice, carol, bob] = [
      await givenOwner(),
      await given.account(),
      await given.account(),
      await givenMember(),
    ]
    const nora = await given.account({
      user: { roleId: 3, lastActiveAt: null },
      scopes: allScopes.join(' '),
    })
    await relation.follow(carol, bob)
    const desk = await openStreamSocket(mia, { stream: 'user:notification' })
    const open = await openStreamSocket(alice, { stream: 'public' })
    const alerts = await openStreamSocket(alice, { stream: 'user:notification' })
    const home = await openStreamSocket(carol, { stream: 'user' })
    const warned = await openStreamSocket(bob, { stream: 'user:notification' })

    // Unknown authors deliver signed posts, which are seen at once.
    const spammer = await fediverse.actor()
    const second = await fediverse.actor({ host: spammer.host })
    await deliver(spammer, office, alice, 'Cheap pills')
    const forged = spammer.create(spammer.note({ content: '<p>Forged</p>' }))
    expect((await spammer.send(forged, { signature: 'none' })).status).toBe(401)
    const found = await as(carol).get(`/api/v1/accounts/lookup?acct=${spammer.handle}`)
    const { id: spammerId } = Named.parse(found.body)
    await relation.follow(carol, { id: Number(spammerId) })
    const uris = [
      await deliver(spammer, office, alice, 'Cheaper pills'),
      await deliver(second, office, alice, 'Cheapest'),
    ]
    expect(await textsOn(open)).toEqual([
      'public <p>Cheap pills</p>',
      'public <p>Cheaper pills</p>',
      'public <p>Cheapest</p>',
    ])
    expect(await textsOn(home)).toEqual(['user <p>Cheaper pills</p>'])
    expect((await notificationsOn(alerts)).map(({ type }) => type)).toEqual(['mention', 'mention', 'mention'])

    // Members report it, with a copy to its server; moderators learn of it live and by mail.
    const listed = Status.array().parse((await as(alice).get('/api/v1/timelines/public?limit=40')).body)
    const bad = listed.filter(({ uri }) => uri === uris[0])
    for (const reporter of [alice, carol])
      await office.post(reporter, '/api/v1/reports', {
        account_id: spammerId,
        status_ids: bad.map(({ id }) => id),
        category: 'spam',
        comment: `Spam, says ${reporter.username}`,
        forward: true,
      })
    await settleLateWork()
    await runCourierAlarms()
    const flags = spammer.received().filter(({ type }) => type === 'Flag')
    expect(flags.map(({ object, content }) => [object, content])).toEqual(
      [alice, carol].map(({ username }) => [[spammer.uri, uris[0]], `Spam, says ${username}`]),
    )
    const signers = spammer
      .deliveries()
      .filter(({ body }) => body.includes('"Flag"'))
      .map(({ headers }) => /keyId="([^"]+)"/.exec(headers.get('signature') ?? '')?.[1])
    expect(signers).toEqual([1, 2].map(() => 'https://fieldfare.test/actor#main-key'))
    expect(JSON.stringify(flags)).not.toContain(`/users/${alice.username}`)
    expect(await notificationsOn(desk)).toMatchObject([
      { type: 'admin.report', account: { id: String(alice.id) }, report: { category: 'spam' } },
    ])
    const [notice, ...others] = await mailsTo(office, nora)
    expect(others).toEqual([])
    expect(notice?.subject).toBe(`${handleOf(alice)} reported @${spammer.handle}`)
    expect(notice?.text).toContain(`Spam, says ${alice.username}`)

    // The moderator sees what a limit touches, and sets it.
    const preview = await as(mia).get(`${own}/domain_blocks/preview?domain=${spammer.host}`)
    expect(preview.body).toMatchObject({
      accounts_count: 2,
      following_count: 1,
      followers_count: 0,
      complete: true,
      existing_domain_blocks: [],
    })
    const limit = await as(mia).post(`${admin}/domain_blocks`, { domain: spammer.host, severity: 'silence' })
    const reports = AdminReport.array().parse(
      (await as(mia).get(`${admin}/reports?target_account_id=${spammerId}`)).body,
    )
    expect(reports).toHaveLength(2)
    for (const { id } of reports) await as(mia).post(`${admin}/reports/${id}/resolve`)

    // Streams that were open all along carry no more of it, but to followers.
    await deliver(spammer, office, alice, 'Free pills')
    await publish(bob, 'A wren in the hedge')
    expect(await textsOn(open)).toEqual(['public <p>A wren in the hedge</p>'])
    expect(await textsOn(home)).toEqual(['user <p>Free pills</p>', 'user <p>A wren in the hedge</p>'])
    expect(await notificationsOn(alerts)).toEqual([])
    const spam = ['Cheap pills', 'Cheaper pills', 'Cheapest', 'Free pills']
    expect(await shownTo(alice, 'public', [...spam, 'A wren in the hedge'])).toEqual(['A wren in the hedge'])
    expect(await shownTo(carol, 'home', spam)).toEqual(['Cheaper pills', 'Free pills'])

    // A member who joked about it is limited as well, and learns of it live, by mail and on a page.
    const joke = await publish(bob, 'Buy my pills')
    expect(await textsOn(open)).toEqual(['public <p>Buy my pills</p>'])
    const told = await office.post(alice, '/api/v1/reports', { account_id: bob.id, status_ids: [joke] })
    expect(await notificationsOn(desk)).toMatchObject([
      { type: 'admin.report', report: { target_account: { id: String(bob.id) } } },
    ])
    expect((await mailsTo(office, nora)).map(({ subject }) => subject)).toEqual([
      `${handleOf(alice)} reported ${handleOf(bob)}`,
    ])
    const { id: reportId } = Named.parse(told.body)
    const action = { type: 'silence', text: 'No spam here', report_id: reportId }
    expect((await office.post(mia, `${admin}/accounts/${bob.id}/action`, action)).status).toBe(200)
    const [warning] = await notificationsOn(warned)
    expect(warning).toMatchObject({
      type: 'moderation_warning',
      moderation_warning: { action: 'silence', text: 'No spam here', status_ids: [joke], appeal: null },
    })
    const [decision] = await mailsTo(office, bob)
    expect(decision?.subject).toBe('The moderators of fieldfare.test limited your account')
    expect(decision?.text).toContain('No spam here')
    const meanwhile = await publish(bob, 'Does anybody hear me?')
    expect(await textsOn(open)).toEqual([])
    expect(await textsOn(home)).toEqual(['user <p>Buy my pills</p>', 'user <p>Does anybody hear me?</p>'])
    expect(await shownTo(alice, 'public', ['A wren in the hedge', 'Does anybody hear me?'])).toEqual([])
    const browser = new Browser(office.overrides)
    await browser.signIn(bob.username, password)
    const { html } = await browser.get('/settings/strikes')
    expect(html).toContain('No spam here')
    expect(html).toContain('Buy my pills')

    // The member appeals on that page; moderators learn of it live and by mail.
    await browser.fill('/settings/strikes', { text: 'It was a joke about the wave' })
    expect(await notificationsOn(desk)).toMatchObject([
      { type: 'admin.appeal', account: { id: String(bob.id) } },
    ])
    const [appealMail] = await mailsTo(office, nora)
    expect(appealMail?.subject).toBe(`${handleOf(bob)} appeals against a decision of the moderators`)
    const appeals = AdminAppeal.array().parse((await as(mia).get(`${own}/appeals`)).body)
    const appeal = appeals.find(({ strike }) => strike.target_account_id === String(bob.id))
    expect(appeal).toMatchObject({ text: 'It was a joke about the wave', state: 'pending' })

    // Overruled: all of it is as before, on timelines and on the streams still open.
    expect((await office.post(mia, `${own}/appeals/${appeal?.id}/approve`)).status).toBe(200)
    const [strike] = Strike.array().parse((await as(bob).get('/api/fieldfare/v1/strikes')).body)
    expect(strike).toMatchObject({
      action: 'silence',
      overruled_at: clock.now().toISOString(),
      appeal: { state: 'approved' },
    })
    const [verdict] = await mailsTo(office, bob)
    expect(verdict?.subject).toBe('Your appeal on fieldfare.test is approved')
    expect(verdict?.text).toContain('has been approved')
    await publish(bob, 'Back again')
    expect(await textsOn(open)).toEqual(['public <p>Back again</p>'])
    const all = ['A wren in the hedge', 'Buy my pills', 'Back again']
    expect(await shownTo(alice, 'public', all)).toEqual(all)
    // As in Mastodon, posts of limited members are unlisted, and remain so.
    expect((await as(alice).get(`/api/v1/statuses/${meanwhile}`)).body).toMatchObject({
      visibility: 'unlisted',
    })

    // The wave is over, and the limit is lifted.
    const { id: limitId } = Named.parse(limit.body)
    await as(mia).delete(`${admin}/domain_blocks/${limitId}`)
    await deliver(second, office, alice, 'We are sorry')
    expect(await textsOn(open)).toEqual(['public <p>We are sorry</p>'])
    expect(await shownTo(alice, 'public', spam)).toEqual(spam)

    const silenced = {
      severity: 'silence',
      rejectMedia: false,
      rejectReports: false,
      obfuscate: false,
      privateComment: '',
      publicComment: '',
    }
    const resolved = { before: { resolved: false }, after: { resolved: true } }
    const strikeId = strike?.id
    const log = await auditLogOf(mia)
    expect(log.map(entryOf)).toEqual([
      { did: `create domain_block ${spammer.host}`, before: {}, after: silenced },
      { did: `resolve report ${spammer.handle}`, ...resolved },
      { did: `resolve report ${spammer.handle}`, ...resolved },
      { did: `resolve report ${bob.username}`, ...resolved },
      {
        did: `silence account ${bob.username}`,
        before: { silence: false },
        after: { silence: true, strike_id: strikeId, report_id: reportId },
      },
      {
        did: `unsilence account ${bob.username}`,
        before: { silence: true },
        after: { silence: false },
      },
      {
        did: `approve appeal ${bob.username}`,
        before: {},
        after: { strike_id: strikeId, action: 'silence' },
      },
      { did: `delete domain_block ${spammer.host}`, before: silenced, after: {} },
    ])
    expect(log.map(({ target_id: id }) => id)).toEqual([
      limitId,
      ...reports.map(({ id }) => id),
      reportId,
      String(bob.id),
      String(bob.id),
      appeal?.id,
      limitId,
    ])
    for (const socket of [desk, open, alerts, home, warned]) socket.close()
  })
})

describe('a mistaken suspension', () => {
  it('allows a member only the appeal, and is undone by it', async () => {
    const [mia, alice, bob] = [await givenOwner(), await given.account(), await givenMember()]
    const office = fakeMailScenario()
    const connection = await openStreamSocket(bob, { stream: 'user' })
    const status = await given.status({ by: bob, text: 'Look at my seeds' })
    const reported = await office.post(alice, '/api/v1/reports', {
      account_id: bob.id,
      status_ids: [status.id],
    })
    const action = { type: 'suspend', text: 'Spam', report_id: Named.parse(reported.body).id }
    expect((await office.post(mia, `${admin}/accounts/${bob.id}/action`, action)).status).toBe(200)
    await connection.closed
    expect((await as(bob).get('/api/v1/timelines/home')).status).toBe(403)
    expect((await as(alice).get(`/api/v1/statuses/${status.id}`)).status).toBe(404)
    const browser = new Browser(office.overrides)
    expect((await browser.signIn(bob.username, password)).location).toBe('/settings/strikes')
    expect((await browser.get('/settings/strikes')).html).toContain('Look at my seeds')

    await browser.fill('/settings/strikes', { text: 'These are my own pictures' })
    const appeals = AdminAppeal.array().parse((await as(mia).get(`${own}/appeals`)).body)
    const appeal = appeals.find(({ strike }) => strike.target_account_id === String(bob.id))
    const approved = await office.post(mia, `${own}/appeals/${appeal?.id}/approve`)
    expect(approved.body).toMatchObject({ state: 'approved', strike: { action: 'suspend' } })
    expect((await as(bob).get('/api/v1/timelines/home')).status).toBe(200)
    expect((await as(alice).get(`/api/v1/statuses/${status.id}`)).status).toBe(200)
    const due = context().db.select().from(accountDeletions).where(sql`account_id = ${bob.id}`)
    expect(await due).toEqual([])
    expect((await mailsTo(office, bob)).map(({ subject }) => subject)).toEqual([
      'The moderators of fieldfare.test suspended your account',
      'Your appeal on fieldfare.test is approved',
    ])
    expect((await auditLogOf(mia)).map((entry) => entryOf(entry).did)).toEqual([
      `resolve report ${bob.username}`,
      `suspend account ${bob.username}`,
      `unsuspend account ${bob.username}`,
      `approve appeal ${bob.username}`,
    ])
  })
})
