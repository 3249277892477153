import { describe, expect, it } from 'vitest'
import type { Visibility } from '../../../src/db/schema/statuses'
import type { MemberPage } from '../../../src/web/member-pages/declaration'
import { adminPages } from '../../../src/web/pages/admin'
import { settingsPages } from '../../../src/web/pages/settings'
import { signedIn } from '../../support/members'
import { type ReportedStatus, reportedStatus } from '../../support/reported-status'
import { clock } from '../../support/test-app'

/**
 * Every page and download of administration and settings, opened by the owner for a status that is neither for them nor
 * reported, though it trends, its author is reported and the owner once bookmarked it.
 */

const ids: Readonly<Record<string, (status: ReportedStatus) => string>> = {
  '/admin/accounts/:id': ({ author }) => String(author.id),
  '/admin/reports/:id': ({ reportId }) => reportId,
}

function addressOf(path: string, status: ReportedStatus): string {
  const [list = ''] = path.split(':id')
  const id = ids[`${list}:id`]?.(status) ?? '1'
  return path
    .replace(':id', id)
    .replace(':domain', 'known.example')
    .replace(':type', 'suspend')
    .replaceAll(/:\w+/g, '1')
}

/** Addresses that are read, once each. */
const pathsOf = (pages: readonly MemberPage[]) =>
  [...new Set(pages.flatMap(({ routes }) => routes.filter(({ method }) => method === 'GET')))].map(
    ({ path }) => path,
  )

/** Paths whose answers tell the owner of the status. */
async function placesOf(visibility: Visibility): Promise<readonly string[]> {
  const { member, browser } = await signedIn({ user: { roleId: 3 } })
  const status = await reportedStatus(visibility, member)
  clock.advance(1_000)
  const places: string[] = []
  for (const path of [...pathsOf(adminPages), ...pathsOf(settingsPages)]) {
    const page = await browser.get(addressOf(path, status))
    expect([path, page.status]).toEqual([path, expect.toBeOneOf([200, 302, 303, 404])])
    if (page.html.includes(status.secret) || page.html.includes(String(status.id))) places.push(path)
  }
  return [...new Set(places)].toSorted()
}

describe.each(['private', 'direct'] as const)('a %s status of another account', (visibility) => {
  it('the hidden status is on no page of administration and settings, and in no download', async () => {
    expect(await placesOf(visibility)).toEqual([])
  })
})

it('the same check finds a public status on every page that shows statuses', async () => {
  expect(await placesOf('public')).toEqual([
    '/admin/accounts/:id',
    '/admin/reports/:id',
    '/admin/trends',
    '/settings/exports/bookmarks.csv',
  ])
})
