import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { emojiUses } from '../../src/db/schema'
import { addAnnouncement } from '../../src/domain/announcements/add'
import { addEmoji, emojiOrNotFound, removeEmoji, updateEmoji } from '../../src/domain/custom-emojis/change'
import { operator as moderator } from '../../src/domain/policy/permissions'
import { as } from '../support/as'
import { fakeQueue } from '../support/fake-queue'
import { freshName, given, type TestAccount } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { mediaFile } from '../support/media'

const Shown = z.looseObject({ emojis: z.array(z.looseObject({ shortcode: z.string() })) })
const Posted = z.object({ id: z.string() })
const shortcodesIn = (body: unknown) => Shown.parse(body).emojis.map(({ shortcode }) => shortcode)

/** The operator's side, with the jobs done. */
const operator = {
  async add(shortcode: string): Promise<void> {
    const jobs = fakeQueue()
    await addEmoji(jobs.ctx, moderator, { shortcode, bytes: mediaFile('rgba.png'), category: null })
    await jobs.work()
  },
  async disable(shortcode: string, disabled: boolean): Promise<void> {
    const jobs = fakeQueue()
    await updateEmoji(jobs.ctx, moderator, await emojiOrNotFound(jobs.ctx, { shortcode }), { disabled })
    await jobs.work()
  },
  async remove(shortcode: string): Promise<void> {
    const jobs = fakeQueue()
    await removeEmoji(jobs.ctx, moderator, await emojiOrNotFound(jobs.ctx, { shortcode }))
    await jobs.work()
  },
}

describe('an emoji that is added later', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })
  const post = async (body: Record<string, unknown>) =>
    Posted.parse((await as(alice).post('/api/v1/statuses', body)).body).id
  const shown = async (id: string) => (await as(alice).get(`/api/v1/statuses/${id}`)).body
  const update = (body: Record<string, unknown>) =>
    as(alice).patch('/api/v1/accounts/update_credentials', body)

  it.each([
    ['the text of a status', (code: string) => ({ status: `A :${code}: sings` })],
    ['its warning', (code: string) => ({ status: 'It sings', spoiler_text: `:${code}:` })],
    [
      'what it says in Markdown',
      (code: string) => ({ status: `*:${code}:*`, content_type: 'text/markdown' }),
    ],
  ])('appears in %s, disappears when it is disabled, and returns', async (_where, draft) => {
    const code = freshName('later')
    const id = await post(draft(code))
    expect(shortcodesIn(await shown(id))).toEqual([])
    await operator.add(code)
    expect(shortcodesIn(await shown(id))).toEqual([code])
    await operator.disable(code, true)
    expect(shortcodesIn(await shown(id))).toEqual([])
    await operator.disable(code, false)
    expect(shortcodesIn(await shown(id))).toEqual([code])
    await operator.remove(code)
    expect(shortcodesIn(await shown(id))).toEqual([])
  })

  it('appears in the options of a poll', async () => {
    const code = freshName('later')
    const options = [`:${code}:`, 'Owl']
    const id = await post({ status: 'Which?', poll: { options, expires_in: 600 } })
    await operator.add(code)
    expect(await shown(id)).toMatchObject({ poll: { emojis: [{ shortcode: code }] } })
  })

  it('appears in all versions of a status', async () => {
    const [first, second] = [freshName('later'), freshName('later')]
    const id = await post({ status: `:${first}:` })
    await as(alice).put(`/api/v1/statuses/${id}`, { status: `:${second}:` })
    await operator.add(first)
    await operator.add(second)
    expect((await as(alice).get(`/api/v1/statuses/${id}/history`)).body).toMatchObject([
      { emojis: [{ shortcode: first }] },
      { emojis: [{ shortcode: second }] },
    ])
  })

  it('appears in names, notes and fields, also where their author is shown', async () => {
    const [name, note, field] = [freshName('later'), freshName('later'), freshName('later')]
    await update({
      display_name: `Alice :${name}:`,
      note: `:${note}:`,
      fields_attributes: [{ name: 'Bird', value: `:${field}:` }],
    })
    const id = await post({ status: 'Hello' })
    for (const code of [name, note, field]) await operator.add(code)
    const codes = [name, note, field].toSorted()
    const own = await as(alice).get('/api/v1/accounts/verify_credentials')
    expect(shortcodesIn(own.body).toSorted()).toEqual(codes)
    const { account } = z.looseObject({ account: z.unknown() }).parse(await shown(id))
    expect(shortcodesIn(account).toSorted()).toEqual(codes)
    await operator.remove(name)
    expect(shortcodesIn((await as(alice).get(`/api/v1/accounts/${alice.id}`)).body).toSorted()).toEqual(
      [note, field].toSorted(),
    )
  })

  it('appears in announcements', async () => {
    const code = freshName('later')
    const id = await addAnnouncement(fakeQueue().ctx, moderator, {
      text: `:${code}: is here`,
      startsAt: null,
      endsAt: null,
      allDay: false,
      publishAt: null,
    })
    await operator.add(code)
    const { body } = await as(alice).get('/api/v1/announcements')
    const announcement = z
      .array(Posted.loose())
      .parse(body)
      .find((one) => one.id === String(id))
    expect(shortcodesIn(announcement)).toEqual([code])
  })

  it('does not appear in similar text, and in remote posts', async () => {
    const code = freshName('later')
    const clock = await post({ status: `At 12:${code}:30` })
    const remote = await given.remoteAccount()
    const far = await storedStatus({ accountId: remote.id, local: false, content: `<p>:${code}:</p>` })
    await operator.add(code)
    expect(shortcodesIn(await shown(clock))).toEqual([])
    expect(shortcodesIn(await shown(String(far)))).toEqual([])
  })

  it('appears in hundreds of statuses in parts', async () => {
    const code = freshName('later')
    const jobs = fakeQueue()
    const { db, ids } = jobs.ctx
    const made = Array.from({ length: 450 }, () => ids.next())
    await db.run(sql`insert into statuses (id, account_id, local, visibility, text, conversation_id, created_at)
      select value, ${alice.id}, 1, 'private', ${`:${code}:`}, value, 0 from json_each(${JSON.stringify(made)})`)
    await db.run(sql`insert into ${emojiUses} (shortcode, kind, subject_id)
      select ${code}, 'status', value from json_each(${JSON.stringify(made)})`)
    await addEmoji(jobs.ctx, moderator, { shortcode: code, bytes: mediaFile('rgba.png'), category: null })
    expect(await jobs.work()).toEqual(['done', 'done', 'done'])
    const [counted] = await db.all<{ count: number }>(sql`select count(*) as count from statuses
      where account_id = ${alice.id} and emojis like ${`%"${code}"%`}`)
    expect(counted?.count).toBe(450)
  })

  it('an emoji that is added later is deleted with the text that contains it', async () => {
    const code = freshName('later')
    const id = await post({ status: `:${code}:` })
    await as(alice).delete(`/api/v1/statuses/${id}`)
    await operator.add(code)
    const uses = await fakeQueue().ctx.db.select().from(emojiUses).where(sql`shortcode = ${code}`)
    expect(uses).toEqual([])
  })
})
