import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MediaAttachment } from '../../src/contract/entities/status'
import { accounts } from '../../src/db/schema'
import { saveSettings } from '../../src/domain/instance/save-settings'
import { defaultSettings } from '../../src/domain/instance/settings'
import { liftLimit, limitDomain } from '../../src/domain/moderation/limit-domain'
import { operator } from '../../src/domain/policy/permissions'
import { as } from '../support/as'
import { captureDelivery } from '../support/capture-delivery'
import { fakeQueue } from '../support/fake-queue'
import { fediverse } from '../support/fediverse'
import type { Document } from '../support/fediverse/documents'
import { processActivity } from '../support/fediverse/process-activity'
import { freshName, given, type TestAccount } from '../support/given'
import { formOf } from '../support/given-media'
import { type KnownPeer, knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { mediaFile } from '../support/media'
import { clock, context, fetchApp, settleLateWork } from '../support/test-app'

/** Attacks that worked on other servers, by their advisories (`test/data/advisories.json`), where no other test has them. */

const { network } = fediverse
const origin = 'https://fieldfare.test'

describe('a handle in another spelling of a known domain', () => {
  // CVE-2023-42451
  it.each([
    ['full-width letters', (host: string) => host.replace('v', 'ｖ')],
    ['a soft hyphen', (host: string) => `\u00ad${host}`],
    ['a zero-width space', (host: string) => `${host}\u200b`],
    ['a dot at the end', (host: string) => `${host}.`],
    ['an ideographic dot', (host: string) => host.replace('.', '。')],
    ['capitals', (host: string) => host.toUpperCase()],
    ['a path', (host: string) => `${host}/`],
    ['a port', (host: string) => `${host}:443`],
    ['a space', (host: string) => ` ${host}`],
    ['an escape', (host: string) => host.replace('v', '%76')],
  ])(
    'a handle in another spelling of a known domain is not attributed to that domain: %s [T-004]',
    async (_name, spell) => {
      const victim = await fediverse.actor({ host: `${freshName('v')}.test` })
      const eve = await fediverse.actor({ username: freshName('eve') })
      const subject = `acct:${eve.username}@${spell(victim.host)}`
      let answered = 0
      network.serveHost(eve.host, () => {
        answered += 1
        const links = [{ rel: 'self', type: 'application/activity+json', href: eve.uri }]
        const headers = { 'content-type': 'application/jrd+json' }
        return new Response(JSON.stringify({ subject, links }), { headers })
      })
      const { resolver } = context()
      await resolver.accountByUri(eve.uri)
      await resolver.accountByHandle({ username: eve.username, domain: spell(victim.host) })
      const stored = await context()
        .db.select({ domain: accounts.domain })
        .from(accounts)
        .where(eq(accounts.username, eve.username))
      expect(answered).toBeGreaterThan(0)
      expect(stored.filter(({ domain }) => domain !== eve.host)).toEqual([])
    },
  )
})

describe('a post of a suspended account', () => {
  // CVE-2026-23961
  async function scene() {
    const [alice, sharer, gone] = [await given.account(), await knownPeer(), await knownPeer()]
    await relation.follow(alice, sharer)
    return { alice, sharer, gone }
  }
  const suspend = (id: number) =>
    context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, id))
  /** Delivers the activities and does the jobs that follow from them. */
  async function take(from: KnownPeer, activities: readonly Document[]) {
    const { ctx, work } = fakeQueue()
    for (const activity of activities) await processActivity(from, activity, ctx)
    await work()
  }
  const home = async (reader: TestAccount) => {
    await settleLateWork()
    return JSON.stringify((await as(reader).get('/api/v1/timelines/home')).body)
  }

  it('a reblog does not restore a stored post of a suspended account [T-005]', async () => {
    const { alice, sharer, gone } = await scene()
    const note = gone.note({ content: '<p>what was said before</p>' })
    expect(await context().resolver.statusByUri(note.id)).not.toBeNull()
    await suspend(gone.id)
    const other = (await knownPeer()).note({ content: '<p>what others said</p>' })
    await take(sharer, [sharer.announce(note.id), sharer.announce(other.id)])
    const shown = await home(alice)
    expect(shown).toContain('what others said')
    expect(shown).not.toContain('what was said before')
  })

  it('does not fetch a new post of a suspended account for a reblog, quote or reply [T-006]', async () => {
    const { alice, sharer, gone } = await scene()
    await suspend(gone.id)
    const note = gone.note({ content: '<p>what was said since</p>' })
    await take(sharer, [
      sharer.announce(note.id),
      sharer.create(sharer.note({ inReplyTo: note.id })),
      sharer.create(sharer.note({ document: { quote: note.id } })),
    ])
    expect(await home(alice)).not.toContain('what was said since')
    const found = await as(alice).get(`/api/v2/search?resolve=true&q=${encodeURIComponent(note.id)}`)
    expect(found.body).toMatchObject({ statuses: [] })
  })
})

describe('a poll of another server', () => {
  // CVE-2026-23962
  it('stores only as many options of a remote poll as are read, out of ten thousand [T-007]', async () => {
    const [alice, peer] = [await given.account(), await knownPeer()]
    await relation.follow(alice, peer)
    const oneOf = Array.from({ length: 10_000 }, (_, index) => ({ type: 'Note', name: `choice ${index}` }))
    const note = peer.note({ served: false, document: { type: 'Question', oneOf } })
    expect((await peer.send(peer.create(note))).status).toBe(202)
    await settleLateWork()
    const { body } = await as(alice).get('/api/v1/timelines/home')
    const [status] = Array.isArray(body) ? body : []
    expect(status).toMatchObject({ uri: note.id, poll: { options: expect.any(Array) } })
    expect(status.poll.options.length).toBeLessThanOrEqual(20)
  })
})

describe('a post for followers, or for one account', () => {
  // CVE-2024-37903
  it.each(['private', 'direct'] as const)(
    'a post for followers, or for one account is not shown to accounts that others add to a copy of it: %s [T-008]',
    async (visibility) => {
      const [reader, spy] = [await given.account(), await given.account()]
      const [victim, eve] = [await knownPeer(), await knownPeer()]
      await relation.follow(reader, victim)
      await relation.follow(spy, eve)
      const note = victim.note({
        visibility,
        mentions: [fediverse.local(reader)],
        content: '<p>in confidence</p>',
      })
      expect((await victim.send(victim.create(note))).status).toBe(202)
      const widened = {
        ...note,
        to: ['https://www.w3.org/ns/activitystreams#Public', fediverse.local(spy).uri],
        cc: [],
        tag: [{ type: 'Mention', href: fediverse.local(spy).uri, name: `@${spy.username}` }],
      }
      const copies = [
        eve.create(widened, { id: `${eve.uri}#create` }),
        eve.create({ ...widened, attributedTo: eve.uri }, { id: `${eve.uri}#create-own` }),
        eve.create({ ...eve.note({ served: false }), inReplyTo: note.id, quote: note.id }),
        eve.announce(note.id, { id: `${eve.uri}#announce` }),
        { ...eve.announce(note.id, { id: `${eve.uri}#announce-whole` }), object: widened },
        eve.update(widened),
        eve.activity('Add', note.id, { target: eve.at.featured }),
      ]
      for (const copy of copies) expect((await captureDelivery(eve, copy)).errors).toEqual([])
      await settleLateWork()
      for (const path of [
        'timelines/home',
        'notifications',
        'timelines/public',
        `accounts/${victim.id}/statuses`,
      ])
        expect([path, JSON.stringify((await as(spy).get(`/api/v1/${path}`)).body)]).not.toEqual([
          path,
          expect.stringContaining('in confidence'),
        ])
      const { body } = await as(reader).get('/api/v1/notifications')
      expect(body).toMatchObject([{ status: { visibility, content: '<p>in confidence</p>' } }])
      const [seen] = Array.isArray(body) ? body : []
      expect((await as(spy).get(`/api/v1/statuses/${seen?.status.id}`)).status).toBe(404)
    },
  )
})

describe('an account that waits for approval', () => {
  // CVE-2025-27399, and what else is for members
  const domain = 'quiet-reasons.example'
  let near: string
  beforeAll(async () => {
    await limitDomain(context(), operator, domain, { severity: 'silence', publicComment: 'Why' })
    await saveSettings(context(), operator, {
      domainBlocksShownTo: 'users',
      domainBlockReasonsShownTo: 'users',
      localFeedAccess: 'authenticated',
      localTagAccess: 'authenticated',
    })
    near = (await given.status({ by: await given.account(), text: 'among #ourselvesalone' })).id
  })
  afterAll(async () => {
    await saveSettings(context(), operator, defaultSettings)
    await liftLimit(context(), operator, domain)
  })

  const forMembers = [
    '/api/v1/instance/domain_blocks',
    '/api/v1/timelines/public?local=true',
    '/api/v1/timelines/tag/ourselvesalone?local=true',
  ]
  const newcomers = [
    ['waits for approval', { approved: false }],
    ['has not confirmed their address', { confirmedAt: null }],
  ] as const

  it.each(newcomers)('reads no data for members: %s [T-009]', async (_state, user) => {
    const newcomer = await given.account({ user })
    for (const path of forMembers) {
      const { status, body } = await as(newcomer).get(path)
      expect([path, status]).toEqual([path, path.includes('domain_blocks') ? 404 : 422])
      expect(JSON.stringify(body)).not.toMatch(/quiet-reasons|ourselvesalone/)
    }
  })

  it.each(newcomers)('reads no posts where sign-in is required: %s [T-010]', async (_state, user) => {
    const closed = { overrides: { config: { ...context().config, requiresSignIn: true } } }
    const newcomer = await given.account({ user })
    for (const path of [
      '/api/v1/timelines/public?remote=true',
      `/api/v1/statuses/${near}`,
      '/api/v1/directory',
    ])
      expect([path, (await as(newcomer).get(path, closed)).status]).toEqual([path, 403])
  })

  it('reads all of it as a member, as a counter-check', async () => {
    const member = await given.account()
    for (const path of forMembers)
      expect(JSON.stringify((await as(member).get(path)).body)).toMatch(/quiet-reasons|ourselvesalone/)
  })
})

describe('SQL in search queries', () => {
  // CVE-2023-24812
  const quotes = [
    `'`,
    `''`,
    `"`,
    '`',
    `') or 1=1 --`,
    `x' union select email from users --`,
    '%',
    '_',
    '\\',
    '\u0000',
  ]

  it.each([
    '/api/v1/timelines/tag/X',
    '/api/v1/timelines/tag/a?any[]=X&all[]=X&none[]=X',
    '/api/v1/tags/X',
    '/api/v1/timelines/public?max_id=X&limit=X',
    '/api/v1/accounts/lookup?acct=X',
    '/api/v1/accounts/X',
    '/api/v1/statuses/X',
    '/api/v1/polls/X',
    '/api/v2/search?q=X&type=accounts',
    '/api/v2/search?q=X&type=hashtags',
    '/api/v2/search?q=X&type=statuses&account_id=X&offset=X',
    '/api/v1/accounts/search?q=X',
    '/api/v1/instance/peers/search?q=X',
    '/api/v1/trends/tags?limit=X&offset=X',
    '/api/v1/directory?order=X&local=X&offset=X',
    '/api/v1/timelines/link?url=X',
    '/api/v1/notifications?types[]=X&account_id=X',
    '/api/v1/lists/X/accounts',
    '/.well-known/webfinger?resource=acct:X@fieldfare.test',
    '/@X',
    '/tags/X',
    '/users/X',
  ])('treats SQL in a search as text, without a failure: %s [T-011]', async (path) => {
    const alice = await given.account()
    for (const quote of quotes) {
      const asked = path.replaceAll('X', encodeURIComponent(quote))
      const { status, body } = await as(alice).get(asked)
      expect([asked, status < 500]).toEqual([asked, true])
      expect(JSON.stringify(body ?? '')).not.toContain(alice.email)
    }
  })
})

describe('the routes of the operator', () => {
  // CVE-2023-43793
  it.each([
    '/%73etup/backups',
    '/setup%2fbackups',
    '//setup/backups',
    '/./setup/backups',
    '/x/../setup/backups',
    '/setup/./backups',
    '/SETUP/backups',
    '/setup/backups/',
    '/setup/backups;x',
    '/setup/backups.json',
    '/setup/backups%00',
    '/setup\\backups',
    '/setup/%62ackups',
    '/setup/backups%20',
  ])('the operator’s routes are closed in every spelling of their address: %s [T-012]', async (path) => {
    const { response } = await fetchApp(
      new Request(origin + path, { headers: { accept: 'application/json' } }),
    )
    expect([401, 404]).toContain(response.status)
  })
})

describe('a file that is uploaded', () => {
  // CVE-2023-36460
  it('stores an uploaded file under its own key, whatever its name [T-013]', async () => {
    const alice = await given.account()
    const names = [
      '../../../etc/passwd',
      '..\\..\\x.png',
      '/app/index.js',
      'a\u0000.png',
      '.',
      'x.svg',
      '%2e%2e%2f',
      'x'.repeat(5_000),
    ]
    for (const name of names) {
      const file = new File([mediaFile('rgb.png')], name, { type: 'image/png' })
      const { url, preview_url } = MediaAttachment.parse(
        (await as(alice).post('/api/v2/media', formOf({ file }))).body,
      )
      for (const address of [url, preview_url])
        expect(address).toMatch(
          /^https:\/\/fieldfare\.test\/media\/attachments\/\d+\/[\w-]{16}\/(original|small)\.\w+$/,
        )
    }
  })
})

describe('a field on a profile of another server', () => {
  // GoToSocial #2722
  it('sanitises a field on a remote profile [T-014]', async () => {
    const value =
      '<a href="javascript:alert(1)">a</a><script>alert(2)</script><img src=x onerror=alert(3)>plain'
    const attachment = [{ type: 'PropertyValue', name: 'Site', value }]
    const peer = await fediverse.actor({ document: { attachment, summary: value } })
    const id = await context().resolver.accountByUri(peer.uri)
    const { body } = await as(await given.account()).get(`/api/v1/accounts/${id}`)
    expect(body).toMatchObject({ fields: [{ value: 'a plain' }], note: 'a plain' })
  })
})

describe('a followed hashtag', () => {
  // Hollo 0.8.2
  it('only the account itself follows and unfollows a hashtag [T-015]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const tag = freshName('wren')
    await as(alice).post(`/api/v1/tags/${tag}/follow`)
    expect((await as(bob).get('/api/v1/followed_tags')).body).toEqual([])
    await as(bob).post(`/api/v1/tags/${tag}/follow`)
    await as(bob).post(`/api/v1/tags/${tag}/unfollow`)
    expect((await as(alice).get('/api/v1/followed_tags')).body).toMatchObject([{ name: tag }])
    expect((await as(bob).get('/api/v1/followed_tags')).body).toEqual([])
  })
})
