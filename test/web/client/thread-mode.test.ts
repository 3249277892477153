import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { statuses } from '../../../src/db/schema'
import { RateLimited } from '../../../src/errors'
import type { Overrides } from '../../../src/wire'
import { as } from '../../support/as'
import { type Browser, hiddenFields } from '../../support/browser'
import { given } from '../../support/given'
import { storedUpload } from '../../support/given-upload'
import { mediaFile } from '../../support/media'
import { signedIn } from '../../support/members'
import { clock, context } from '../../support/test-app'
import { typedFields } from '../../support/typed-fields'

const path = '/publish'
const action = { action: path }

type Member = Parameters<typeof as>[0] & { readonly id: number }

/** Posts of a member, the oldest first. */
async function postsOf(member: Member): Promise<readonly Status[]> {
  const { body } = await as(member).get(`/api/v1/accounts/${member.id}/statuses`)
  return Status.array().parse(body).toReversed()
}

/** Words of posts, each with the index of the post that it answers. */
function chainOf(posts: readonly Status[]) {
  return posts.map(({ content, in_reply_to_id }) => [
    content.replaceAll(/<[^>]*>/g, ''),
    posts.findIndex(({ id }) => id === in_reply_to_id),
  ])
}

const three = { press: 'post', posts: '3', status: 'One', status_2: 'Two', status_3: 'Three' }

/** Presses Post again on each page that still has posts to publish, as scripts do. Answers the last page. */
async function sendAll(browser: Browser, fields: Readonly<Record<string, string>>, of = path) {
  let sent = await browser.fill(of, fields, action)
  for (let time = 0; sent.status === 200 && time < 10; time += 1) {
    sent = await browser.post(path, {
      ...hiddenFields(sent.html, path),
      ...typedFields(sent.html),
      press: 'post',
    })
  }
  return sent
}

describe('a thread written in one go', () => {
  it('publishes posts in their order, each as an answer to the one before, with its own warning, picture and poll', async () => {
    const { member, browser } = await signedIn()
    const upload = await storedUpload(member)
    const sent = await sendAll(browser, {
      ...three,
      visibility: 'unlisted',
      language: 'de',
      spoiler_text: 'birds',
      media_ids_2: upload,
      [`description_${upload}_2`]: 'A wren',
      has_poll_3: '1',
      choice_0_3: 'wren',
      choice_1_3: 'owl',
      poll_length_3: '3600',
    })
    const posts = await postsOf(member)
    expect(chainOf(posts)).toEqual([
      ['One', -1],
      ['Two', 0],
      ['Three', 1],
    ])
    expect(posts.map(({ visibility, language }) => [visibility, language])).toEqual(
      Array(3).fill(['unlisted', 'de']),
    )
    expect(posts.map((post) => post.spoiler_text)).toEqual(['birds', '', ''])
    expect(posts[1]?.media_attachments).toMatchObject([{ id: upload, description: 'A wren' }])
    expect(posts[2]?.poll?.options.map(({ title }) => title)).toEqual(['wren', 'owl'])
    expect([sent.status, sent.location]).toEqual([303, expect.stringMatching(`^/@${member.username}/\\d+$`)])
  })

  it('adds and removes posts by buttons without losing the others', async () => {
    const { browser } = await signedIn()
    const added = await browser.fill(path, { press: 'add_post', status: 'One' }, action)
    expect(added.html).toContain('>One</textarea>')
    expect(added.html).toContain('name="status_2"')
    expect(added.html).toContain('Post all 2')
    const file = new File([mediaFile('rgb.png')], 'wren.png', { type: 'image/png' })
    const attached = await browser.upload(path, { ...three, press: 'attach', 'file_2[]': file })
    const [, id] = /name="description_(\d+)_2"/.exec(attached.html) ?? []
    expect(hiddenFields(attached.html, path)).toMatchObject({ media_ids: '', media_ids_2: id })
    const fields = { ...three, press: 'remove_post:1', media_ids_2: id ?? '' }
    const removed = await browser.fill(path, fields, action)
    expect(removed.html).toMatch(/name="status"[^>]*>\n?Two</)
    expect(removed.html).toMatch(/name="status_2"[^>]*>\n?Three</)
    expect(removed.html).not.toContain('>One<')
    expect(removed.html).toContain(`name="description_${id}"`)
  })

  it('publishes a thread once that is sent again, and goes on where it stopped', async () => {
    const { member, browser } = await signedIn()
    const whole = { ...three, key: 'the same' }
    await browser.fill(path, { ...whole, posts: '1' }, action)
    await sendAll(browser, whole)
    await sendAll(browser, whole)
    expect(chainOf(await postsOf(member))).toEqual([
      ['One', -1],
      ['Two', 0],
      ['Three', 1],
    ])
  })

  it('publishes nothing of a thread that has a post with a mistake, and names that post', async () => {
    const { member, browser } = await signedIn()
    for (const [wrong, reason] of [
      [{ status_2: 'x'.repeat(6_000) }, 'too long'],
      [{ status_2: ' ' }, 'Post 2'],
    ] as const) {
      const sent = await browser.fill(path, { ...three, ...wrong }, action)
      expect(sent.status).toBe(422)
      expect(sent.html).toContain('Post 2 cannot be published yet')
      expect(sent.html).toContain(reason)
      expect(sent.html).toContain('>Three</textarea>')
    }
    expect(await postsOf(member)).toEqual([])
  })

  it('says what is published where the limit of posts stops a thread, and publishes the rest later', async () => {
    const { member, browser } = await signedIn()
    const { throttle } = context()
    const families: string[] = []
    const limited: Overrides = {
      throttle: {
        ...throttle,
        admits: async () => true,
        take: (family, subject, times) => {
          if (family === 'statuses') families.push(family)
          if (families.length > 1) throw new RateLimited({ limit: 1, remaining: 0, resetAt: clock.now() })
          return throttle.take(family, subject, times)
        },
      },
    }
    const stopped = await browser.fill(path, three, { ...action, overrides: limited })
    expect(stopped.status).toBe(422)
    expect(chainOf(await postsOf(member))).toEqual([['One', -1]])
    expect(stopped.html).toContain('One post of this thread is published.')
    expect(stopped.html).toContain('role="alert"')
    // The rest is a draft of the same composer.
    const again = await browser.get(path)
    expect(again.html).toMatch(/name="status"[^>]*>\n?Two</)
    await sendAll(browser, { press: 'post', status: 'Two', status_2: 'Three' })
    expect(chainOf(await postsOf(member))).toEqual([
      ['One', -1],
      ['Two', 0],
      ['Three', 1],
    ])
    expect((await browser.get('/drafts')).html).toContain('No drafts')
  })

  it('keeps the whole thread as one draft', async () => {
    const { browser } = await signedIn()
    const fields = { ...three, press: 'draft', spoiler_text_3: 'owls' }
    await browser.fill(path, fields, action)
    const { html } = await browser.get(path)
    for (const text of ['One', 'Two', 'Three']) expect(html).toContain(`>${text}</textarea>`)
    expect(html).toMatch(/name="spoiler_text_3" value="owls"/)
    expect((await browser.get('/drafts')).html.match(/One|Two|Three/g)).toEqual(['One'])
  })

  it('is not scheduled, and keeps its texts', async () => {
    const { member, browser } = await signedIn()
    const day = new Date(clock.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
    const sent = await browser.fill(path, { ...three, scheduled_at: `${day}T12:00` }, action)
    expect(sent.status).toBe(422)
    expect(sent.html).toContain('A thread cannot be scheduled.')
    expect(sent.html).toContain('>Three</textarea>')
    expect((await as(member).get('/api/v1/scheduled_statuses')).body).toEqual([])
  })

  it('replies and quotes begin with the first post alone', async () => {
    const { member, browser } = await signedIn()
    const { body } = await as(await given.account()).post('/api/v1/statuses', { status: 'Hello' })
    const { id } = Status.parse(body)
    const reply = `${path}?reply_to=${id}`
    await sendAll(browser, { press: 'post', posts: '2', status: 'Yes', status_2: 'And no' }, reply)
    await sendAll(
      browser,
      { press: 'post', posts: '2', status: 'Look', status_2: 'Again' },
      `${path}?quote=${id}`,
    )
    const posts = await postsOf(member)
    expect(posts.map((post) => post.in_reply_to_id)).toEqual([id, posts[0]?.id, null, posts[2]?.id])
    expect(posts.map(({ quote }) => quote !== null)).toEqual([false, false, true, false])
  })

  it('opens as a new post with all its texts where the post it answers was deleted meanwhile', async () => {
    const { member, browser } = await signedIn()
    const { body } = await as(await given.account()).post('/api/v1/statuses', { status: 'Hello' })
    const { id } = Status.parse(body)
    const { html } = await browser.get(`${path}?reply_to=${id}`)
    await context()
      .db.delete(statuses)
      .where(eq(statuses.id, Number(id)))
    const fields = { ...hiddenFields(html, path), ...three, visibility: 'direct' }
    const refused = await browser.post(path, fields)
    expect(refused.status).toBe(422)
    expect(refused.html).toContain('is gone. You can still publish')
    expect(refused.html).toContain('>Three</textarea>')
    expect(refused.html).toMatch(/value="direct" checked/)
    expect(hiddenFields(refused.html, path)).toMatchObject({ reply_to: '' })
    expect(await postsOf(member)).toEqual([])
  })

  it('has at most ten posts', async () => {
    const { browser } = await signedIn()
    const ten = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`status_${at + 2}`, `Number ${at + 2}.`]),
    )
    const shown = await browser.fill(path, { press: 'add_post', posts: '13', status: 'One', ...ten }, action)
    expect(shown.html).toContain('Number 10.')
    expect(shown.html).not.toContain('Number 11.')
    expect(shown.html).not.toContain('value="add_post"')
  })
})
