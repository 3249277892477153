import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Status } from '../../../src/contract/entities/status'
import { customEmojis } from '../../../src/db/schema'
import { as, type TestResponse } from '../../support/as'
import { idsOf } from '../../support/body-ids'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { clock, context } from '../../support/test-app'

const path = '/api/v1/statuses'
const parsed = (answer: TestResponse) => Status.parse(answer.body)
const Notices = z.array(z.object({ type: z.string(), status: z.object({ id: z.string() }).nullish() }))

/** Types of the notifications that `who` got about a status. */
async function noticesOf(who: TestAccount, id: string): Promise<readonly string[]> {
  const all = Notices.parse((await as(who).get('/api/v1/notifications')).body)
  return all.filter(({ status }) => status?.id === id).map(({ type }) => type)
}

describe('POST statuses', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })
  const post = async (body: Record<string, unknown>, by = alice) => as(by).post(path, body)

  describe('over the limit of characters', () => {
    it('a text over the limit is 422, including its warning [T-505]', async () => {
      expect((await post({ status: 'x'.repeat(500) })).status).toBe(200)
      expect(await post({ status: 'x'.repeat(501) })).toMatchObject({
        status: 422,
        body: { error: 'Validation failed: Text character limit of 500 exceeded' },
      })
      expect((await post({ status: 'x'.repeat(400), spoiler_text: 'y'.repeat(101) })).status).toBe(422)
      expect((await post({ status: 'x'.repeat(400), spoiler_text: 'y'.repeat(100) })).status).toBe(200)
    })

    it('counts a URL as 23 and a remote mention without its domain [T-506]', async () => {
      const url = `https://example.org/${'a'.repeat(300)}`
      expect((await post({ status: `${'x'.repeat(476)} ${url}` })).status).toBe(200)
      expect((await post({ status: `${'x'.repeat(477)} ${url}` })).status).toBe(422)
      expect((await post({ status: `${'x'.repeat(490)} @somebody@a-very-long-host.example` })).status).toBe(
        200,
      )
    })
  })

  describe('with a warning', () => {
    it('a status with a warning is sensitive [T-507]', async () => {
      const status = parsed(await post({ status: 'Text', spoiler_text: 'Careful', sensitive: false }))
      expect(status).toMatchObject({ spoiler_text: 'Careful', sensitive: true, content: '<p>Text</p>' })
    })

    it('a status without text has the warning as its content [T-508]', async () => {
      const status = parsed(await post({ spoiler_text: 'Careful' }))
      expect(status).toMatchObject({ spoiler_text: '', sensitive: true, content: '<p>Careful</p>' })
    })
  })

  describe('visibility', () => {
    it('the visibility is the default of the account when absent, private for accounts that approve followers [T-509]', async () => {
      const quiet = await given.account({ user: { settings: { defaultVisibility: 'unlisted' } } })
      const locked = await given.account({ locked: true })
      expect(parsed(await post({ status: 'x' }, quiet)).visibility).toBe('unlisted')
      expect(parsed(await post({ status: 'x', visibility: '' }, locked)).visibility).toBe('private')
    })

    it('a public status of a silenced author becomes unlisted [T-510]', async () => {
      const silenced = await given.account({ silencedAt: clock.now() })
      expect(parsed(await post({ status: 'x', visibility: 'public' }, silenced)).visibility).toBe('unlisted')
      expect(parsed(await post({ status: 'x', visibility: 'private' }, silenced)).visibility).toBe('private')
    })

    it('the visibility is 422 when unknown [T-511]', async () => {
      expect((await post({ status: 'x', visibility: 'secret' })).status).toBe(422)
    })

    it('a direct status is visible to mentioned accounts only, and enters the feeds of followers among them [T-512]', async () => {
      const [bob, carol, eve] = [await given.account(), await given.account(), await given.account()]
      await relation.follow(bob, alice)
      await relation.follow(eve, alice)
      const text = `@${bob.username} @${carol.username} psst`
      const { id } = parsed(await post({ status: text, visibility: 'direct' }))
      const sees = async (who: TestAccount) => (await as(who).get(`${path}/${id}`)).status
      expect([await sees(bob), await sees(carol), await sees(eve)]).toEqual([200, 200, 404])
      const home = async (who: TestAccount) => idsOf(await as(who).get('/api/v1/timelines/home'))
      expect(await home(bob)).toContain(id)
      expect(await home(alice)).toContain(id)
      expect(await home(carol)).not.toContain(id)
      expect(await home(eve)).not.toContain(id)
    })
  })

  describe('language', () => {
    it('language is stored; absent or unknown it is the default of the account [T-513]', async () => {
      const person = await given.account({ user: { settings: { defaultLanguage: 'de' } } })
      const language = async (body: object) => parsed(await post({ status: 'x', ...body }, person)).language
      expect(await language({ language: 'fr' })).toBe('fr')
      expect(await language({ language: 'pt-BR' })).toBe('pt')
      expect(await language({})).toBe('de')
      expect(await language({ language: '' })).toBe('de')
      expect(await language({ language: 'klingon' })).toBe('de')
    })
  })

  describe('sensitive and quotes', () => {
    it('sensitive and quotes have the defaults of the account', async () => {
      const settings = { defaultSensitive: true, defaultQuotePolicy: 'nobody' } as const
      const person = await given.account({ user: { settings } })
      const plain = parsed(await post({ status: 'x' }, person))
      expect(plain).toMatchObject({ sensitive: true, quote_approval: { automatic: [] } })
      const asked = parsed(
        await post({ status: 'x', sensitive: false, quote_approval_policy: 'followers' }, person),
      )
      expect(asked).toMatchObject({ sensitive: false, quote_approval: { automatic: ['followers'] } })
      expect((await post({ status: 'x', quote_approval_policy: 'friends' })).status).toBe(422)
    })
  })

  describe('mentions', () => {
    it('mentions of local and remote accounts are linked, listed and notified [T-514]', async () => {
      const [bob, far] = [await given.account(), await given.remoteAccount()]
      const acct = `${far.username}@${far.domain}`
      const text = `@${bob.username.toUpperCase()} @${acct} @nobody-like-this @${bob.username}@fieldfare.test`
      const status = parsed(await post({ status: text }))
      expect(status.mentions).toEqual([
        {
          id: String(bob.id),
          username: bob.username,
          acct: bob.username,
          url: `https://fieldfare.test/@${bob.username}`,
        },
        {
          id: String(far.id),
          username: far.username,
          acct,
          url: `https://elsewhere.test/@${far.username}`,
        },
      ])
      expect(status.content).toContain(`href="https://elsewhere.test/@${far.username}"`)
      expect(status.content).toContain('@nobody-like-this')
      expect(await noticesOf(bob, status.id)).toEqual(['mention'])
    })

    it('mentions reach no account the author blocks, and no suspended one', async () => {
      const [author, blocked] = [await given.account(), await given.account()]
      const suspended = await given.account({ suspendedAt: clock.now() })
      await relation.block(author, blocked)
      const text = `@${blocked.username} @${suspended.username}`
      const status = parsed(await post({ status: text }, author))
      expect(status.mentions).toEqual([])
      expect(status.content).toBe(`<p>${text}</p>`)
    })

    it('mentions notify no account that blocks the author', async () => {
      const [author, blocker] = [await given.account(), await given.account()]
      await relation.block(blocker, author)
      const status = parsed(await post({ status: `@${blocker.username}` }, author))
      expect(await noticesOf(blocker, status.id)).toEqual([])
    })

    it('mentions outside allowed_mentions are 422 with those accounts, and nothing is posted [T-515]', async () => {
      const [author, bob, carol] = [await given.account(), await given.account(), await given.account()]
      const text = `@${bob.username} @${carol.username}`
      const refused = await post({ status: text, allowed_mentions: [String(bob.id)] }, author)
      expect(refused).toMatchObject({
        status: 422,
        body: { unexpected_accounts: [{ id: String(carol.id), username: carol.username }] },
      })
      expect(refused.headers.get('X-RateLimit-Limit')).toBe('300')
      expect((await as(author).get('/api/v1/timelines/home')).body).toEqual([])
      const ids = [bob.id, carol.id].map(String)
      expect((await post({ status: text, allowed_mentions: ids }, author)).status).toBe(200)
      expect((await post({ status: text }, author)).status).toBe(200)
    })
  })

  it('hashtags are listed by normalised name with a local address, and found by it [T-516]', async () => {
    const tag = freshName('Rotkehlchen')
    const status = parsed(await post({ status: `#${tag} and #${tag.toUpperCase()}` }))
    const name = tag.toLowerCase()
    expect(status.tags).toEqual([{ name, url: `https://fieldfare.test/tags/${name}` }])
    expect(idsOf(await as(alice).get(`/api/v1/timelines/tag/${name}`))).toEqual([status.id])
    const second = parsed(await post({ status: `again #${tag}` }))
    expect(idsOf(await as(alice).get(`/api/v1/timelines/tag/${name}`))).toEqual([second.id, status.id])
  })

  it('custom emojis in text, warning and poll are returned, except unknown and disabled ones', async () => {
    const { db, ids } = context()
    const emoji = (shortcode: string, disabled = false) => ({
      id: ids.next(),
      shortcode,
      image: { key: `emojis/${shortcode}.png` },
      disabled,
      createdAt: clock.now(),
    })
    const [wren, owl, gone] = [freshName('wren'), freshName('owl'), freshName('gone')]
    await db.insert(customEmojis).values([emoji(wren), emoji(owl), emoji(gone, true)])
    const status = parsed(
      await post({
        status: `Look :${wren}: :${gone}: :nothing_like_it:`,
        spoiler_text: 'Birds',
        poll: { options: [`:${owl}:`, 'other'], expires_in: 300 },
      }),
    )
    expect(status.emojis.map(({ shortcode }) => shortcode).sort()).toEqual([wren, owl].sort())
    expect(status.poll?.emojis.map(({ shortcode }) => shortcode)).toEqual([owl])
  })

  it('Markdown is rendered on request, or by the preference of the author', async () => {
    const body = { status: '**bold** <b>raw</b>' }
    const writer = await given.account({ user: { settings: { defaultContentType: 'text/markdown' } } })
    const rendered = '<p><strong>bold</strong> &lt;b&gt;raw&lt;/b&gt;</p>'
    expect(parsed(await post({ ...body, content_type: 'text/markdown' })).content).toBe(rendered)
    expect(parsed(await post(body, writer)).content).toBe(rendered)
    expect(parsed(await post({ ...body, content_type: 'text/plain' }, writer)).content).toContain('**bold**')
    expect((await post({ ...body, content_type: 'text/html' })).status).toBe(422)
  })

  it('notifies followers with notify, but not of replies to others or direct ones', async () => {
    const [author, listener, follower] = [await given.account(), await given.account(), await given.account()]
    await relation.follow(listener, author, { notify: true })
    await relation.follow(follower, author)
    const plain = parsed(await post({ status: 'x' }, author))
    expect(await noticesOf(listener, plain.id)).toEqual(['status'])
    expect(await noticesOf(follower, plain.id)).toEqual([])
    const other = await given.status({ by: alice })
    const reply = parsed(await post({ status: 'x', in_reply_to_id: other.id }, author))
    const direct = parsed(await post({ status: 'x', visibility: 'direct' }, author))
    const thread = parsed(await post({ status: 'x', in_reply_to_id: plain.id }, author))
    expect(await noticesOf(listener, reply.id)).toEqual([])
    expect(await noticesOf(listener, direct.id)).toEqual([])
    expect(await noticesOf(listener, thread.id)).toEqual(['status'])
  })

  it('the application is shown to all, unless its author hides it, and always to the author [T-517]', async () => {
    const shy = await given.account({ user: { settings: { showApplication: false } } })
    const { id } = parsed(await post({ status: 'x' }, shy))
    expect((await as(alice).get(`${path}/${id}`)).body).not.toHaveProperty('application')
    expect((await as(shy).get(`${path}/${id}`)).body).toHaveProperty('application')
  })
})

describe('POST statuses in reply', () => {
  it('a reply to a visible status sets both ids and the conversation, and counts at the parent [T-518]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const parent = await given.status({ by: alice })
    const reply = parsed(await as(bob).post(path, { status: 'Yes', in_reply_to_id: parent.id }))
    expect(reply).toMatchObject({ in_reply_to_id: parent.id, in_reply_to_account_id: String(alice.id) })
    const count = async () => parsed(await as(alice).get(`${path}/${parent.id}`)).replies_count
    expect(await count()).toBe(1)
    await given.status({ by: bob, inReplyTo: parent, visibility: 'private' })
    expect(await count()).toBe(1)
  })

  it('a reply to a reblog replies to the original', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const parent = await given.status({ by: alice })
    const reblog = parsed(await as(bob).post(`${path}/${parent.id}/reblog`))
    const reply = parsed(await as(bob).post(path, { status: 'Yes', in_reply_to_id: reblog.id }))
    expect(reply.in_reply_to_id).toBe(parent.id)
  })

  it('a reply to an unknown or hidden status is 404 and posts nothing [T-519]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const hidden = await given.status({ by: alice, visibility: 'private' })
    for (const id of [hidden.id, '1', 'abc'])
      expect(await as(bob).post(path, { status: 'Yes', in_reply_to_id: id })).toMatchObject({
        status: 404,
        body: { error: 'The post you are trying to reply to does not appear to exist.' },
      })
    expect((await as(bob).get('/api/v1/timelines/home')).body).toEqual([])
  })

  it('a reply enters the feeds of followers who follow both', async () => {
    const [alice, bob, both, one] = [
      await given.account(),
      await given.account(),
      await given.account(),
      await given.account(),
    ] as const
    await relation.follow(both, alice)
    await relation.follow(both, bob)
    await relation.follow(one, bob)
    const parent = await given.status({ by: alice })
    const reply = await given.status({ by: bob, inReplyTo: parent })
    const home = async (who: TestAccount) => idsOf(await as(who).get('/api/v1/timelines/home'))
    expect(await home(both)).toEqual([reply.id, parent.id])
    expect(await home(one)).toEqual([])
  })
})
