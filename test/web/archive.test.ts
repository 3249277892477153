import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { accountArchives } from '../../src/db/schema'
import { textOf } from '../support/browser'
import { fakeQueue } from '../support/fake-queue'
import { signedIn } from '../support/members'
import { context } from '../support/test-app'

const page = '/settings/archive'

it('exports the archive of the account once in seven days, and gives it to nobody else', async () => {
  const { browser, member } = await signedIn()
  const asked = await browser.fill(page, {})
  expect(asked).toMatchObject({ status: 303, location: `${page}?done=requested-without-mail` })
  expect(textOf((await browser.get(asked.location ?? '')).html)).toContain('Your archive is being made')
  const [row] = await context()
    .db.select()
    .from(accountArchives)
    .where(eq(accountArchives.accountId, member.id))
  const queue = fakeQueue()
  queue.jobs.push({ kind: 'build-archive', archiveId: row?.id ?? 0, step: 0 })
  await queue.work()
  const ready = await browser.get(page)
  expect(textOf(ready.html)).toContain('You can request an archive once in seven days.')
  const link = `${page}/${row?.id}/archive.tar.gz`
  expect(ready.html).toContain(`href="${link}"`)
  expect((await browser.get(link)).status).toBe(200)
  expect((await (await signedIn()).browser.get(link)).status).toBe(404)
})
