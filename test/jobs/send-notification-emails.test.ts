import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { MailKind } from '../../src/contract/notification-kinds'
import { accounts, markers, noticeMails, notifications, outbox, presences, users } from '../../src/db/schema'
import { deleteOwnAccount } from '../../src/domain/accounts/delete-own'
import { MailRefused } from '../../src/ports/mail'
import { as } from '../support/as'
import { fakeQueue } from '../support/fake-queue'
import { given, type TestAccount } from '../support/given'
import { emailedAccount, fakeMailScenario, sendNotificationMails } from '../support/given-mail'
import { followed } from '../support/given-remote'
import { clock, context } from '../support/test-app'

const origin = 'https://fieldfare.test'
const minute = 60_000

type Interaction = (
  mailer: ReturnType<typeof fakeMailScenario>,
  by: TestAccount,
  whom: TestAccount,
) => Promise<unknown>

async function answerTo(whom: TestAccount, path: (id: string) => string): Promise<string> {
  return path((await given.status({ by: whom, text: 'A waxwing!' })).id)
}

const interactions: Readonly<
  Partial<Record<MailKind, { readonly interaction: Interaction; readonly says: string }>>
> = {
  mention: {
    interaction: (mailer, by, whom) =>
      mailer.post(by, '/api/v1/statuses', { status: `@${whom.username} look` }),
    says: 'mentioned you',
  },
  quote: {
    interaction: async (mailer, by, whom) => {
      const { id } = await given.status({ by: whom, text: 'A waxwing!' })
      return mailer.post(by, '/api/v1/statuses', { status: 'See', quoted_status_id: id })
    },
    says: 'quoted your post',
  },
  follow: {
    interaction: (mailer, by, whom) => mailer.post(by, `/api/v1/accounts/${whom.id}/follow`),
    says: 'is now following you',
  },
  favourite: {
    interaction: async (mailer, by, whom) =>
      mailer.post(by, await answerTo(whom, (id) => `/api/v1/statuses/${id}/favourite`)),
    says: 'favourited your post',
  },
  reblog: {
    interaction: async (mailer, by, whom) =>
      mailer.post(by, await answerTo(whom, (id) => `/api/v1/statuses/${id}/reblog`)),
    says: 'boosted your post',
  },
}

const mentions = async (
  mailer: ReturnType<typeof fakeMailScenario>,
  by: TestAccount,
  whom: TestAccount,
  text = 'look',
) => mailer.post(by, '/api/v1/statuses', { status: `@${whom.username} ${text}` })

describe('mail about notifications', () => {
  it.each(Object.entries(interactions))(
    'mails about a %s, and about nothing else',
    async (kind, { says }) => {
      const [ada, bob] = [await emailedAccount({ [kind]: true }), await given.account({ displayName: 'Bob' })]
      const mailer = fakeMailScenario()
      for (const other of Object.values(interactions)) await other.interaction(mailer, bob, ada)
      const mails = await mailer.deliver()
      expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[ada.email, `Bob ${says}`]])
    },
  )

  it.each([
    ['de-AT', 'ltr', 'Bob hat dich erwähnt', 'Beitrag ansehen: '],
    ['ja', 'ltr', 'Bobさんがあなたにメンションしました', '投稿を見る: '],
    ['ar', 'rtl', 'أشار إليك \u2068Bob\u2069', 'عرض المنشور: '],
    ['pt', 'ltr', 'Bob mentioned you', 'See the post: '],
  ])('the mail is in the language of its reader: %s', async (locale, direction, subject, link) => {
    const ada = await emailedAccount({ mention: true }, { user: { locale } })
    const mailer = fakeMailScenario()
    await mentions(mailer, await given.account({ displayName: 'Bob' }), ada)
    const [mail] = await mailer.deliver()
    expect(mail?.subject).toBe(subject)
    expect(mail?.text).toContain(link)
    expect(mail?.html).toContain(`dir="${direction}"`)
  })

  it('mails about a follow request', async () => {
    const [ada, bob] = [
      await emailedAccount({ follow_request: true }, { locked: true }),
      await given.account(),
    ]
    const mailer = fakeMailScenario()
    await mailer.post(bob, `/api/v1/accounts/${ada.id}/follow`)
    const [mail] = await mailer.deliver()
    expect(mail?.subject).toBe(`@${bob.username}@fieldfare.test requested to follow you`)
    expect(mail?.text).toContain(`${origin}/@${bob.username}`)
  })

  it('the mail has text, author and link, in text and markup', async () => {
    const [ada, bob] = [await emailedAccount({ mention: true }), await given.account({ displayName: 'Bob' })]
    const mailer = fakeMailScenario()
    const { body } = await mentions(mailer, bob, ada, 'a <wren> & a\n\nrobin')
    const [mail] = await mailer.deliver()
    const conversation = expect.stringMatching(/^<conversation\.\d+@fieldfare\.test>$/)
    expect(mail?.headers).toEqual({
      'List-Unsubscribe': expect.stringMatching(/^<https:\/\/fieldfare\.test\/unsubscribe\/[\w.-]+>$/),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'List-Id': `<mention.${ada.username}.fieldfare.test>`,
      'In-Reply-To': conversation,
      References: conversation,
    })
    expect(mail?.text).toContain(
      `Bob (@${bob.username}@fieldfare.test) mentioned you\n\n> @${ada.username} a <wren> & a\n>`,
    )
    expect(mail?.text).toContain(`See the post: ${urlIn(body)}\n`)
    expect(mail?.html).toContain('a &lt;wren&gt; &amp; a')
  })

  it('display names cannot add headers to a mail', async () => {
    const ada = await emailedAccount({ follow: true })
    const eve = await given.remoteAccount({ displayName: 'Eve\r\nBcc: all@mail.test\u202e<b>' })
    const ctx = context()
    const id = ctx.ids.next()
    const row = {
      id,
      accountId: ada.id,
      fromAccountId: eve.id,
      type: 'follow' as const,
      createdAt: clock.now(),
    }
    await ctx.db.insert(notifications).values(row)
    const { sent } = await sendNotificationMails([id])
    expect(sent[0]?.subject).toBe('Eve Bcc: all@mail.test <b> is now following you')
    expect(sent[0]?.html).not.toContain('<b>')
  })

  it('the mail has no header for one-click unsubscription without https, which Cloudflare refuses', async () => {
    const { id } = await waitingMention(await emailedAccount({ mention: true }))
    const config = { ...context().config, origin: 'http://localhost:8787' }
    const [mail] = (await sendNotificationMails([id], undefined, { config })).sent
    expect(Object.keys(mail?.headers ?? {})).toEqual(['List-Id', 'In-Reply-To', 'References'])
    expect(mail?.text).toContain('Stop these e-mails: http://localhost:8787/unsubscribe/')
  })

  it('deletes the row when the account is deleted', async () => {
    const ada = await emailedAccount({ mention: true })
    expect((await sendNotificationMails([(await waitingMention(ada)).id])).sent).toHaveLength(1)
    await deleteOwnAccount(context(), ada.id)
    const marks = await context().db.select().from(noticeMails).where(eq(noticeMails.accountId, ada.id))
    expect(marks).toEqual([])
  })

  it('queues nothing and spends no round trip when mail is off', async () => {
    const [ada, bob, eve] = [
      await emailedAccount({ mention: true }),
      await given.account(),
      await given.account(),
    ]
    const { id } = await given.status({ by: ada })
    const silent = await as(bob).post(`/api/v1/statuses/${id}/favourite`)
    const mailer = fakeMailScenario()
    const unwanted = await mailer.post(eve, `/api/v1/statuses/${id}/favourite`)
    expect(mailer.queued).toEqual([])
    expect(unwanted.costs.trips).toBe(silent.costs.trips)
    expect(unwanted.costs.rowsWritten).toBe(silent.costs.rowsWritten)
  })

  it('costs one row where mail is wanted', async () => {
    const [ada, bob, eve] = [
      await emailedAccount({ favourite: true }),
      await given.account(),
      await given.account(),
    ]
    const { id } = await given.status({ by: ada })
    const silent = await as(bob).post(`/api/v1/statuses/${id}/favourite`)
    const mailer = fakeMailScenario()
    const wanted = await mailer.post(eve, `/api/v1/statuses/${id}/favourite`)
    expect(mailer.waiting()).toHaveLength(1)
    expect(wanted.costs.trips - silent.costs.trips).toBeLessThanOrEqual(1)
  })

  it('sends no mail where the server has no mailer, and changes nothing else', async () => {
    const [ada, bob] = [await emailedAccount({ mention: true }), await given.account()]
    await given.status({ by: bob, text: `@${ada.username} hello` })
    const kept = await context()
      .db.select()
      .from(outbox)
      .where(sql`event ->> 'kind' = 'send-notification-emails'`)
    expect(kept).toEqual([])
    const [row] = await context().db.select().from(notifications).where(eq(notifications.accountId, ada.id))
    expect(row?.type).toBe('mention')
  })
})

function urlIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'url' in body ? body.url : null
}

/** A notification of a mention that waits to be mailed. */
async function waitingMention(
  ada: TestAccount,
  more: { readonly by?: TestAccount; readonly text?: string } = {},
) {
  const by = more.by ?? (await given.account())
  const mailer = fakeMailScenario()
  const { body } = await mentions(mailer, by, ada, more.text)
  const [id] = mailer.waiting()
  if (id === undefined) throw new Error('nothing waits')
  const statusId = typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : ''
  return { id, by, statusId }
}

const subjectsOf = async (id: number) =>
  (await sendNotificationMails([id])).sent.map(({ subject }) => subject)

describe('sends no mail to', () => {
  const set = (id: number, patch: Partial<typeof users.$inferInsert>) =>
    context().db.update(users).set(patch).where(eq(users.accountId, id))

  it.each([
    ['has not confirmed the address', (id: number) => set(id, { confirmedAt: null })],
    ['waits for approval', (id: number) => set(id, { approved: false })],
    ['is locked out', (id: number) => set(id, { disabledAt: clock.now() })],
    [
      'is suspended',
      (id: number) =>
        context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, id)),
    ],
    [
      'did something a moment ago',
      (id: number) => set(id, { lastActiveAt: new Date(clock.now().getTime() - minute) }),
    ],
    [
      'has an open stream',
      (id: number) =>
        context()
          .db.insert(presences)
          .values({ accountId: id, channels: ['user'] }),
    ],
    ['turned such mails off', (id: number) => set(id, { settings: { mail: { mention: false } } })],
  ])('an account that %s', async (_who, change) => {
    const ada = await emailedAccount({ mention: true })
    const { id } = await waitingMention(ada)
    await change(ada.id)
    expect(await sendNotificationMails([id])).toEqual({ kind: 'done', sent: [] })
  })

  it('accounts connected to streams with notifications, and to no others', async () => {
    const ada = await emailedAccount({ mention: true })
    const { id } = await waitingMention(ada)
    await context()
      .db.insert(presences)
      .values({ accountId: ada.id, channels: ['direct', 'list:1'] })
    expect((await sendNotificationMails([id])).sent).toHaveLength(1)
  })

  it('an account that has read it', async () => {
    const ada = await emailedAccount({ mention: true })
    const { id } = await waitingMention(ada)
    const marker = {
      accountId: ada.id,
      timeline: 'notifications' as const,
      version: 1,
      updatedAt: clock.now(),
    }
    await context()
      .db.insert(markers)
      .values({ ...marker, lastReadId: id })
    expect(await subjectsOf(id)).toEqual([])
  })

  it('connected accounts unless they chose mails while connected', async () => {
    const ada = await emailedAccount({ mention: true, always: true })
    const { id } = await waitingMention(ada)
    await set(ada.id, { lastActiveAt: clock.now() })
    await context().db.insert(presences).values({ accountId: ada.id, channels: [] })
    expect(await subjectsOf(id)).toHaveLength(1)
  })

  it('an account that uses an app, which is recorded every ten minutes for those with mail on', async () => {
    const ada = await emailedAccount({ mention: true })
    const seen = async () =>
      (await context().db.select().from(users).where(eq(users.accountId, ada.id)))[0]?.lastActiveAt
    await as(ada).get('/api/v1/preferences')
    const first = await seen()
    clock.advance(9 * minute)
    await as(ada).get('/api/v1/preferences')
    expect(await seen()).toEqual(first)
    clock.advance(minute)
    await as(ada).get('/api/v1/preferences')
    expect(await seen()).toEqual(clock.now())
    const { id } = await waitingMention(ada)
    clock.advance(14 * minute)
    expect(await subjectsOf(id)).toEqual([])
    clock.advance(2 * minute)
    expect(await subjectsOf(id)).toHaveLength(1)
  })

  it('anybody about a day-old notification', async () => {
    const { id } = await waitingMention(await emailedAccount({ mention: true }))
    clock.advance(24 * 60 * minute)
    expect(await subjectsOf(id)).toEqual([])
  })
})

describe('a mail leaves out', () => {
  const secret = 'the nest is under the bridge'
  const told = async (id: number) => JSON.stringify((await sendNotificationMails([id])).sent)

  it('a deleted post', async () => {
    const { id, by, statusId } = await waitingMention(await emailedAccount({ mention: true }), {
      text: secret,
    })
    await as(by).delete(`/api/v1/statuses/${statusId}`)
    expect(await told(id)).toBe('[]')
  })

  it('text that an edit removed', async () => {
    const ada = await emailedAccount({ mention: true })
    const { id, by, statusId } = await waitingMention(ada, { text: secret })
    await as(by).put(`/api/v1/statuses/${statusId}`, { status: `@${ada.username} nothing` })
    const mails = await told(id)
    expect(mails).toContain('nothing')
    expect(mails).not.toContain('bridge')
  })

  it.each([
    [
      'blocked its author',
      (ada: TestAccount, by: TestAccount) => as(ada).post(`/api/v1/accounts/${by.id}/block`),
    ],
    [
      'muted its author',
      (ada: TestAccount, by: TestAccount) => as(ada).post(`/api/v1/accounts/${by.id}/mute`),
    ],
    [
      'was blocked by its author',
      (ada: TestAccount, by: TestAccount) => as(by).post(`/api/v1/accounts/${ada.id}/block`),
    ],
    [
      'has its author suspended',
      (_ada: TestAccount, by: TestAccount) =>
        context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, by.id)),
    ],
  ])('a post to an account that in the meantime %s', async (_what, change) => {
    const ada = await emailedAccount({ mention: true, always: true })
    const { id, by } = await waitingMention(ada, { text: secret })
    await change(ada, by)
    expect(await told(id)).toBe('[]')
  })

  it('notifications that the recipient’s policy filters', async () => {
    const ada = await emailedAccount({ mention: true, favourite: true })
    const mailer = fakeMailScenario()
    const bob = await given.account()
    await mailer.post(bob, '/api/v1/statuses', { status: `@${ada.username} ${secret}`, visibility: 'direct' })
    expect(mailer.queued).toEqual([])
    const [row] = await context().db.select().from(notifications).where(eq(notifications.accountId, ada.id))
    expect(row?.filtered).toBe(true)
    expect(await told(row?.id ?? 0)).toBe('[]')
  })

  it('a direct post to anybody but its recipients', async () => {
    const [ada, eve] = [
      await emailedAccount({ mention: true }),
      await emailedAccount({ mention: true, favourite: true }),
    ]
    const bob = await given.account()
    await followed(ada, bob)
    const mailer = fakeMailScenario()
    const text = `@${ada.username} ${secret}`
    await mailer.post(bob, '/api/v1/statuses', { status: text, visibility: 'direct' })
    const mails = await mailer.deliver()
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [ada.email, `@${bob.username}@fieldfare.test wrote to you`],
    ])
    expect(mails[0]?.text).toContain(`> ${text}`)
    expect(JSON.stringify(mails)).not.toContain(eve.email)
  })

  it('the text of a quoted post beside that of the quoting one', async () => {
    const [ada, bob] = [await emailedAccount({ quote: true }), await given.account()]
    const { id } = await given.status({ by: ada, text: secret })
    const mailer = fakeMailScenario()
    await mailer.post(bob, '/api/v1/statuses', { status: 'See this', quoted_status_id: id })
    const [mail] = await mailer.deliver()
    expect(mail?.text).toContain('> See this')
    expect(mail?.text).not.toContain('bridge')
  })

  it('the text behind a content warning', async () => {
    const ada = await emailedAccount({ mention: true })
    const mailer = fakeMailScenario()
    const status = { status: `@${ada.username} ${secret}`, spoiler_text: 'eggs' }
    await mailer.post(await given.account(), '/api/v1/statuses', status)
    const [mail] = await mailer.deliver()
    expect(mail?.text).toContain('It has a content warning: eggs')
    expect(JSON.stringify(mail)).not.toContain('bridge')
  })

  it.each([
    ['hide', 0],
    ['warn', 1],
  ])('a post that a filter of the recipient is to %s', async (action, count) => {
    const ada = await emailedAccount({ mention: true })
    const filter = { title: 'Nests', context: ['notifications'], filter_action: action }
    await as(ada).post('/api/v2/filters', { ...filter, keywords_attributes: [{ keyword: 'bridge' }] })
    clock.advance(20 * minute)
    const { id } = await waitingMention(ada, { text: secret })
    const { sent } = await sendNotificationMails([id])
    expect(sent).toHaveLength(count)
    expect(JSON.stringify(sent)).not.toContain('bridge')
    for (const { text } of sent) expect(text).toContain('Your filter “Nests” applies')
  })

  it('kinds that are never mailed', async () => {
    const everything = { mention: true, quote: true, follow: true, favourite: true, reblog: true }
    const [ada, bob] = [await emailedAccount(everything), await given.account()]
    await followed(ada, bob, { notify: true })
    const mailer = fakeMailScenario()
    await mailer.post(bob, '/api/v1/statuses', { status: 'For all who follow' })
    const rows = await context().db.select().from(notifications).where(eq(notifications.accountId, ada.id))
    expect(rows.map(({ type }) => type)).toEqual(['status'])
    expect(mailer.queued).toEqual([])
    expect((await sendNotificationMails(rows.map(({ id }) => id))).sent).toEqual([])
  })
})

describe('a mail', () => {
  it('a mail is sent once, however often the job runs', async () => {
    const { id } = await waitingMention(await emailedAccount({ mention: true }))
    const both = await Promise.all([sendNotificationMails([id, id]), sendNotificationMails([id])])
    expect([...both, await sendNotificationMails([id])].flatMap(({ sent }) => sent)).toHaveLength(1)
  })

  it('a mail is retried after a failure, and then sent once', async () => {
    const ada = await emailedAccount({ mention: true })
    const [first, second] = [await waitingMention(ada), await waitingMention(ada)]
    const ids = [first.id, second.id]
    let tries = 0
    const failed = await sendNotificationMails(ids, () => {
      tries += 1
      if (tries === 1) throw new Error('not now')
    })
    expect([failed.kind, failed.sent.length]).toEqual(['retry', 1])
    const again = await sendNotificationMails(ids)
    expect([again.kind, again.sent.length]).toEqual(['done', 1])
    expect((await sendNotificationMails(ids)).sent).toEqual([])
  })

  it('a mail is not retried when its address is refused', async () => {
    const { id } = await waitingMention(await emailedAccount({ mention: true }))
    const refused = await sendNotificationMails([id], () => {
      throw new MailRefused(new Error('suppressed'))
    })
    expect(refused).toEqual({ kind: 'done', sent: [] })
    expect(await sendNotificationMails([id])).toEqual({ kind: 'done', sent: [] })
  })

  it('a mail is limited to twenty an hour', async () => {
    const ada = await emailedAccount({ favourite: true })
    const post = await given.status({ by: ada })
    const mailer = fakeMailScenario()
    for (const fan of await given.accounts(22))
      await mailer.post(fan, `/api/v1/statuses/${post.id}/favourite`)
    const ids = mailer.waiting()
    expect(ids).toHaveLength(22)
    const sendAll = async () => {
      let sent = 0
      // As many as one job sends.
      for (let at = 0; at < ids.length; at += 8)
        sent += (await sendNotificationMails(ids.slice(at, at + 8))).sent.length
      return sent
    }
    expect(await sendAll()).toBe(20)
    expect(await sendAll()).toBe(0)
    clock.advance(61 * minute)
    const { id } = await favouriteOf(ada, post.id)
    expect((await sendNotificationMails([id])).sent).toHaveLength(1)
  })

  it('leaves mails beyond one invocation to another job', async () => {
    const queue = fakeQueue({
      mailer: { send: async () => undefined, lookUp: async () => ({ acceptsMail: true, hosts: [] }) },
    })
    const ids = Array.from({ length: 20 }, (_, index) => index + 1)
    await queue.ctx.jobs.send({ kind: 'send-notification-emails', notificationIds: ids })
    expect(await queue.work()).toEqual(['done', 'done', 'done'])
  })

  it('keeps a row for a week', async () => {
    const ada = await emailedAccount({ mention: true, always: true })
    const first = await waitingMention(ada)
    await sendNotificationMails([first.id])
    clock.advance(8 * 24 * 60 * minute)
    const second = await waitingMention(ada)
    await sendNotificationMails([second.id])
    const marks = await context().db.select().from(noticeMails).where(eq(noticeMails.accountId, ada.id))
    expect(marks.map(({ notificationId }) => notificationId)).toEqual([second.id])
  })

  it('mails to many accounts are queued in parts', async () => {
    const people = await Promise.all(Array.from({ length: 9 }, () => emailedAccount({ mention: true })))
    const mailer = fakeMailScenario()
    const names = people.map(({ username }) => `@${username}`).join(' ')
    await mailer.post(await given.account(), '/api/v1/statuses', { status: names })
    expect(mailer.queued).toHaveLength(2)
    expect(await mailer.deliver()).toHaveLength(9)
  })
})

async function favouriteOf(ada: TestAccount, statusId: string) {
  const mailer = fakeMailScenario()
  const fan = await given.account()
  await mailer.post(fan, `/api/v1/statuses/${statusId}/favourite`)
  const own = and(eq(notifications.accountId, ada.id), eq(notifications.fromAccountId, fan.id))
  const [row] = await context().db.select().from(notifications).where(own)
  if (row === undefined) throw new Error('nobody was notified')
  return row
}
