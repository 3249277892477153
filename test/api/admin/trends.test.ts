import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { anonymous, as } from '../../support/as'
import { freshName, given, type TestAccount } from '../../support/given'
import { givenStaff } from '../../support/given-staff'
import { favouredStatus, linkedPage, postsBy, trendsRefreshed, usedTag } from '../../support/given-trends'
import { withSettings } from '../../support/settings'

type Kind = 'tags' | 'statuses' | 'links'

const Item = z.looseObject({
  id: z.string(),
  requires_review: z.boolean(),
  name: z.string().optional(),
  url: z.string().nullable().optional(),
})

let moderator: TestAccount
beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageTaxonomies', 'viewAuditLog'] })
})

/** The trend with this id, name or URL in the list of moderators, over all its pages. */
async function listed(kind: Kind, key: string | number) {
  for (let next: string | undefined = `/api/v1/admin/trends/${kind}`; next !== undefined; ) {
    const { body, links } = await as(moderator).get(next)
    const found = z
      .array(Item)
      .parse(body)
      .find(({ id, name, url }) => [id, name, url].includes(String(key)))
    if (found !== undefined) return found
    next = links.next
  }
  return null
}

/** Whether the public trends show it. */
async function isShown(kind: Kind, key: string | number): Promise<boolean> {
  for (let next: string | undefined = `/api/v1/trends/${kind}`; next !== undefined; ) {
    const { body, links } = await anonymous.get(next)
    if (JSON.stringify(body).includes(`"${key}"`)) return true
    next = links.next
  }
  return false
}

const acts = async (type: string, id: string) =>
  z
    .array(z.looseObject({ action: z.string() }))
    .parse(
      (await as(moderator).get(`/api/fieldfare/v1/admin/audit_log?target_type=${type}&target_id=${id}`)).body,
    )

describe('GET /api/v1/admin/trends', () => {
  it.each([
    ['tags', 'tag', () => usedTag(20)],
    ['statuses', 'status', () => favouredStatus(20)],
    ['links', 'link', () => linkedPage(20)],
  ] as const)(
    '%s: lists unreviewed ones as well, and approves and rejects them [T-870]',
    async (kind, type, make) => {
      const key = await make()
      await trendsRefreshed()
      const found = await listed(kind, key)
      expect(found).toMatchObject({ requires_review: true })
      const id = found?.id ?? ''
      expect(await isShown(kind, key)).toBe(false)

      const approved = await as(moderator).post(`/api/v1/admin/trends/${kind}/${id}/approve`)
      expect(approved).toMatchObject({ status: 200, body: { id, requires_review: false } })
      expect(approved.costs.trips).toBeLessThanOrEqual(4)
      expect(await isShown(kind, key)).toBe(true)

      const rejected = await as(moderator).post(`/api/v1/admin/trends/${kind}/${id}/reject`)
      expect(rejected).toMatchObject({ status: 200, body: { id, requires_review: false } })
      await withSettings({ trendableByDefault: true }, async () => {
        expect(await isShown(kind, key)).toBe(false)
      })
      expect(await listed(kind, key)).toMatchObject({ requires_review: false })
      expect(await acts(type, id)).toMatchObject([
        { action: 'reject', before: { trendable: true }, after: { trendable: false } },
        { action: 'approve', before: { trendable: null }, after: { trendable: true } },
      ])
    },
  )

  it('shows trends to moderators while the setting hides them from others', async () => {
    const tag = await usedTag(20)
    await trendsRefreshed()
    await withSettings({ trends: false, trendableByDefault: true }, async () => {
      expect(await isShown('tags', tag)).toBe(false)
      expect(await listed('tags', tag)).not.toBeNull()
    })
  })

  it.each(['tags', 'statuses', 'links', 'links/publishers'])(
    '%s: answers 404 for unknown ids',
    async (kind) => {
      for (const id of ['7', 'x'])
        expect((await as(moderator).post(`/api/v1/admin/trends/${kind}/${id}/approve`)).status).toBe(404)
    },
  )

  it('reviews no status that is not public', async () => {
    const author = await given.account()
    for (const visibility of ['unlisted', 'private', 'direct']) {
      const { body } = await as(author).post('/api/v1/statuses', { status: 'quiet', visibility })
      const { id } = z.looseObject({ id: z.string() }).parse(body)
      const answer = await as(moderator).post(`/api/v1/admin/trends/statuses/${id}/approve`)
      expect(answer.status).toBe(404)
      expect(JSON.stringify(answer.body)).not.toContain('quiet')
    }
  })

  it('reviews statuses that do not trend yet, also by an author who blocks the moderator', async () => {
    const author = await given.account({ discoverable: true })
    await as(author).post(`/api/v1/accounts/${moderator.id}/block`)
    const id = await favouredStatus(2, { accountId: author.id })
    const answer = await as(moderator).post(`/api/v1/admin/trends/statuses/${id}/reject`)
    expect(answer).toMatchObject({ status: 200, body: { requires_review: false } })
  })
})

describe('GET /api/v1/admin/trends/links/publishers', () => {
  it('lists hosts, newest first, and reviews all of their links', async () => {
    const host = `${freshName('press')}.test`
    const [one, two] = [await linkedPage(20, { host }), await linkedPage(20, { host })]
    await trendsRefreshed()
    await as(moderator).post('/api/fieldfare/v1/admin/trends/review', {
      what: 'publisher',
      key: host,
      trendable: false,
    })
    const { body, costs } = await as(moderator).get('/api/v1/admin/trends/links/publishers?limit=1')
    expect(body).toMatchObject([
      { domain: host, trendable: false, requires_review: false, reviewed_at: expect.any(String) },
    ])
    expect(costs.trips).toBeLessThanOrEqual(1)
    const [{ id }] = z.tuple([z.looseObject({ id: z.string() })]).parse(body)
    expect(await listed('links', one)).toMatchObject({ requires_review: false })
    const approved = await as(moderator).post(`/api/v1/admin/trends/links/publishers/${id}/approve`)
    expect(approved).toMatchObject({ status: 200, body: { id, trendable: true } })
    expect([await isShown('links', one), await isShown('links', two)]).toEqual([true, true])
    expect(await acts('publisher', id)).toMatchObject([{ action: 'approve' }, { action: 'reject' }])
  })
})

describe('admin tags', () => {
  const idOf = async (name: string) =>
    z
      .array(Item)
      .parse((await as(moderator).get('/api/v1/admin/tags')).body)
      .find((tag) => tag.name === name)?.id ?? ''

  it('lists hashtags newest first, by pages', async () => {
    const [older, newer] = [await usedTag(1), await usedTag(1)]
    const first = await as(moderator).get('/api/v1/admin/tags?limit=1')
    expect(first.body).toMatchObject([
      { name: newer, requires_review: true, trendable: false, following: false },
    ])
    const second = await as(moderator).get(first.links.next ?? '')
    expect(second.body).toMatchObject([{ name: older, usable: true, listable: true }])
    await as(moderator).post(`/api/v1/tags/${older}/follow`)
    const again = await as(moderator).get(first.links.next ?? '')
    expect(again.body).toMatchObject([{ name: older, following: true }])
    const back = await as(moderator).get(second.links.prev ?? '')
    expect(back.body).toMatchObject([{ name: newer }])
  })

  it('admin tags cost one round trip and at most 400 rows a page', async () => {
    for (let index = 0; index < 6; index += 1)
      await postsBy(1, { tags: Array.from({ length: 20 }, () => freshName('tag')) })
    const { costs, body } = await as(moderator).get('/api/v1/admin/tags')
    expect(z.array(z.unknown()).parse(body)).toHaveLength(100)
    expect(costs.trips).toBe(1)
    expect(costs.rowsRead).toBeLessThanOrEqual(400)
  })

  it.each(['put', 'patch'] as const)(
    'a list of hashtags are changed by %s, only in the case of letters [T-871]',
    async (verb) => {
      const name = await usedTag(1)
      const id = await idOf(name)
      const path = `/api/v1/admin/tags/${id}`
      const shouted = name.toUpperCase()
      const changed = await as(moderator)[verb](path, {
        display_name: shouted,
        listable: false,
        trendable: true,
        usable: false,
      })
      const state = { listable: false, trendable: true, usable: false, requires_review: false }
      expect(changed).toMatchObject({ status: 200, body: { id, name: shouted, ...state } })
      expect((await as(moderator).get(path)).body).toMatchObject({ id, name: shouted, ...state })
      const refused = await as(moderator)[verb](path, { display_name: 'other', listable: true })
      expect(refused).toMatchObject({
        status: 422,
        body: { error: 'Validation failed: Display name does not match the previous name' },
      })
      expect((await as(moderator).get(path)).body).toMatchObject({ listable: false })
      expect(await acts('tag', id)).toMatchObject([
        {
          action: 'update',
          before: { displayName: name, listable: true, trendable: null, usable: true },
          after: { displayName: shouted, listable: false, trendable: true, usable: false },
        },
      ])
    },
  )

  it('keeps omitted values, and search no longer finds unlisted hashtags', async () => {
    const name = await usedTag(1)
    const id = await idOf(name)
    await as(moderator).put(`/api/v1/admin/tags/${id}`, { listable: false })
    expect((await as(moderator).get(`/api/v1/admin/tags/${id}`)).body).toMatchObject({
      name,
      usable: true,
      trendable: false,
    })
    const found = await as(moderator).get(`/api/v2/search?type=hashtags&q=${name}`)
    expect(found.body).toMatchObject({ hashtags: [] })
  })

  it('answers 404 for unknown ids', async () => {
    expect((await as(moderator).get('/api/v1/admin/tags/7')).status).toBe(404)
    expect((await as(moderator).put('/api/v1/admin/tags/7', { listable: true })).status).toBe(404)
  })
})
