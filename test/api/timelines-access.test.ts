import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { roles } from '../../src/db/schema'
import { saveSettings } from '../../src/domain/instance/save-settings'
import { defaultSettings } from '../../src/domain/instance/settings'
import { operator, permissions } from '../../src/domain/policy/permissions'
import { anonymous, as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { freshName, given } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { clock, context } from '../support/test-app'

const refusal = { status: 422, body: { error: 'This method requires an authenticated user' } }

afterEach(() => saveSettings(context(), operator, defaultSettings))

async function nearAndFar() {
  const [alice, remote] = [await given.account(), await given.remoteAccount()]
  const tag = freshName('access')
  const near = await storedStatus({ accountId: alice.id, tags: [tag] })
  const far = await storedStatus({ accountId: remote.id, local: false, tags: [tag] })
  return { alice, tag, near: String(near), far: String(far), since: `since_id=${near - 1}` }
}

/** A local account whose role has these permissions. */
async function holderOf(held: number) {
  const ctx = context()
  const id = ctx.ids.next()
  const now = clock.now()
  await ctx.db.insert(roles).values({
    id,
    name: `role ${id}`,
    position: 5,
    permissions: held,
    createdAt: now,
    updatedAt: now,
  })
  return given.account({ user: { roleId: id } })
}

describe('closed public timelines', () => {
  it('closed public timelines refuse anonymous clients and app tokens, and are open to users [T-596]', async () => {
    const { alice, near, far, since } = await nearAndFar()
    await saveSettings(context(), operator, {
      localFeedAccess: 'authenticated',
      remoteFeedAccess: 'authenticated',
    })
    const app = await given.token({ scopes: 'read' })
    for (const query of ['', '&local=true', '&remote=true']) {
      expect(await anonymous.get(`/api/v1/timelines/public?${since}${query}`)).toMatchObject(refusal)
      expect(await as(app).get(`/api/v1/timelines/public?${since}${query}`)).toMatchObject(refusal)
    }
    expect(idsOf(await as(alice).get(`/api/v1/timelines/public?${since}`))).toEqual([far, near])
  })

  it('closed public timelines refuse anonymous visitors only the closed half', async () => {
    const { near, since } = await nearAndFar()
    await saveSettings(context(), operator, { remoteFeedAccess: 'authenticated' })
    expect(await anonymous.get(`/api/v1/timelines/public?${since}`)).toMatchObject(refusal)
    expect(await anonymous.get(`/api/v1/timelines/public?${since}&remote=true`)).toMatchObject(refusal)
    expect(idsOf(await anonymous.get(`/api/v1/timelines/public?${since}&local=true`))).toEqual([near])
  })

  it('closed public timelines leave a disabled half out, except for roles with the permission for feeds', async () => {
    const { alice, near, far, since } = await nearAndFar()
    await saveSettings(context(), operator, { remoteFeedAccess: 'disabled' })
    const moderator = await holderOf(permissions.viewFeeds)
    const administrator = await holderOf(permissions.administrator)
    expect(idsOf(await as(alice).get(`/api/v1/timelines/public?${since}`))).toEqual([near])
    expect(idsOf(await as(alice).get(`/api/v1/timelines/public?${since}&remote=true`))).toEqual([])
    for (const person of [moderator, administrator])
      expect(idsOf(await as(person).get(`/api/v1/timelines/public?${since}`))).toEqual([far, near])
  })

  it('closed public timelines do not affect those of hashtags', async () => {
    const { tag, near, far } = await nearAndFar()
    await saveSettings(context(), operator, { localFeedAccess: 'disabled', remoteFeedAccess: 'disabled' })
    expect(idsOf(await anonymous.get(`/api/v1/timelines/tag/${tag}`))).toEqual([far, near])
  })
})

describe('hashtag timelines without preview', () => {
  it('hashtag timelines without preview refuse anonymous clients and are open to users [T-597]', async () => {
    const { alice, tag, near, far } = await nearAndFar()
    await saveSettings(context(), operator, {
      localTagAccess: 'authenticated',
      remoteTagAccess: 'authenticated',
    })
    expect(await anonymous.get(`/api/v1/timelines/tag/${tag}`)).toMatchObject(refusal)
    expect(await anonymous.get(`/api/v1/timelines/tag/${tag}?local=true`)).toMatchObject(refusal)
    const own = await as(alice).get(`/api/v1/timelines/tag/${tag}`)
    expect(idsOf(own)).toEqual([far, near])
    expect(own.costs.trips).toBeLessThanOrEqual(1)
  })

  it('hashtag timelines without preview leave out remote posts where those are disabled', async () => {
    const { alice, tag, near } = await nearAndFar()
    await saveSettings(context(), operator, { remoteTagAccess: 'disabled' })
    expect(idsOf(await as(alice).get(`/api/v1/timelines/tag/${tag}`))).toEqual([near])
    expect(idsOf(await anonymous.get(`/api/v1/timelines/tag/${tag}?local=true`))).toEqual([near])
  })
})

describe('GET v2 instance', () => {
  it('shows who may read which timelines', async () => {
    const access = async () => {
      const Body = z.object({ configuration: z.object({ timelines_access: z.unknown() }) })
      return Body.parse((await anonymous.get('/api/v2/instance')).body).configuration.timelines_access
    }
    const open = { local: 'public', remote: 'public' }
    expect(await access()).toEqual({ live_feeds: open, hashtag_feeds: open, trending_link_feeds: open })
    await saveSettings(context(), operator, {
      localFeedAccess: 'authenticated',
      remoteFeedAccess: 'disabled',
      localTagAccess: 'authenticated',
      remoteTagAccess: 'public',
    })
    const topics = { local: 'authenticated', remote: 'public' }
    expect(await access()).toEqual({
      live_feeds: { local: 'authenticated', remote: 'disabled' },
      hashtag_feeds: topics,
      trending_link_feeds: topics,
    })
  })
})
