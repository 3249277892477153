import { describe, expect, it } from 'vitest'
import { execute } from '../../src/db/query'
import { cleanupPolicyOf } from '../../src/domain/cleanup/find-cleanup'
import { Browser } from '../support/browser'
import type { TestAccount } from '../support/given'
import { signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

const path = '/statuses_cleanup'
const chosen = { enabled: 'true', age: '2629746', keep_polls: 'true', favourites: '5', boosts: '' }

const ticked = (html: string) =>
  [...html.matchAll(/<input[^>]* name="([^"]+)"[^>]* checked/g)].map(([, name]) => name)
const saved = ({ id }: TestAccount) => execute(context().db, cleanupPolicyOf(context(), id))

describe('the page of old posts', () => {
  it('shows that nothing is deleted to a user who never chose', async () => {
    const { browser } = await signedIn()
    const { html } = await browser.get(path)
    expect(ticked(html)).toEqual(['keep_direct', 'keep_pinned', 'keep_own_favourites', 'keep_own_bookmarks'])
    expect(html).toContain('<option value="1209600" selected')
  })

  it('saves what to delete, and restarts the clean-up', async () => {
    const { member, browser } = await signedIn()
    const done = await browser.fill(path, chosen)
    expect(done).toMatchObject({ status: 303, location: '/statuses_cleanup?done=cleanup' })
    expect(await saved(member)).toEqual({
      accountId: member.id,
      enabled: true,
      minAgeSeconds: 2_629_746,
      keepPolls: true,
      keepMedia: false,
      keepDirect: false,
      keepPinned: false,
      keepOwnFavourites: false,
      keepOwnBookmarks: false,
      minFavourites: 5,
      minReblogs: null,
      place: 0,
      dueAt: clock.now(),
    })
    const { html } = await browser.get(path)
    expect(ticked(html)).toEqual(['enabled', 'keep_polls'])
    expect(html).toMatch(/name="favourites"[^>]* value="5"/)
  })

  it.each([
    [{ age: '1' }, 'Age is not one of those offered.'],
    [{ favourites: '0' }, 'Favourites must be a whole number from 1 on, or empty.'],
    [{ boosts: 'many' }, 'Boosts must be a whole number from 1 on, or empty.'],
    [{ boosts: '99999999999' }, 'Boosts must be a whole number from 1 on, or empty.'],
  ])('refuses %j and keeps typed values', async (wrong, problem) => {
    const { member, browser } = await signedIn()
    const { status, html } = await browser.fill(path, { ...chosen, ...wrong })
    expect(status).toBe(422)
    expect(html).toContain(problem)
    expect(ticked(html)).toEqual(['enabled', 'keep_polls'])
    expect(await saved(member)).toBeNull()
  })

  it('the page of old posts requires sign-in', async () => {
    expect((await new Browser().get(path)).location).toContain('/auth/sign_in')
  })
})
