import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { softwareVersion } from '../../../src/contract/version'
import { execute, first, oneRow } from '../../../src/db/query'
import { settings } from '../../../src/db/schema'
import {
  checkReleases,
  findNewRelease,
  isReleaseCheckDue,
  releaseListOf,
  supportDays,
  updateWorkflowOf,
} from '../../../src/domain/instance/releases'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { operator } from '../../../src/domain/policy/permissions'
import { tasks } from '../../../src/tasks'
import { fediverse } from '../../support/fediverse'
import { freshName } from '../../support/given'
import { clock, context } from '../../support/test-app'

const day = 86_400_000
const start = clock.now()
afterAll(() => clock.set(start))

const [major = 0, minor = 0, patch = 0] = softwareVersion.split('.').map(Number)
const nextMinor = `${major}.${minor + 1}.0`
const later = `${major}.${minor + 2}.1`
const nextPatch = `${major}.${minor}.${patch + 1}`

let repository = ''
let list = ''
let answer: () => Response
beforeEach(async () => {
  repository = `https://${freshName('git')}.test/fieldfare/fieldfare`
  list = releaseListOf(repository) ?? ''
  answer = () => new Response('[]')
  fediverse.network.respond(list, () => answer())
  await context().db.delete(settings).where(eq(settings.key, 'task.check-releases'))
  await context().db.delete(settings).where(eq(settings.key, 'instance.releaseNotices'))
})

const publish = (...releases: readonly object[]) => {
  answer = () => new Response(JSON.stringify(releases))
}
const release = (tag: string, daysAgo: number, more: object = {}) => ({
  tag_name: tag,
  published_at: new Date(clock.now().getTime() - daysAgo * day).toISOString(),
  ...more,
})
const check = () => checkReleases(context(), repository)
const found = () => execute(context().db, findNewRelease(context(), repository))
const isDue = async () => {
  const { db } = context()
  const due = isReleaseCheckDue(context(), repository)
  return (await execute(db, first(db.select({ due: due.as('due') }).from(oneRow))))?.due === 1
}
const requests = () => fediverse.network.requests(list).length

describe('notice of a newer release', () => {
  it('names the newest release, whatever the order of the list, and the end of support of the running version', async () => {
    publish(release(`v${nextMinor}`, 10), release(later, 2), release(softwareVersion, 30))
    await check()
    expect(await found()).toEqual({
      version: later,
      updateUrl: null,
      releasedAt: new Date(clock.now().getTime() - 2 * day),
      url: `${repository}/releases`,
      supportedUntil: new Date(clock.now().getTime() + (supportDays - 10) * day),
    })
  })

  it('a newer patch of the running version ends no support', async () => {
    publish(release(nextPatch, 3))
    await check()
    expect(await found()).toMatchObject({ version: nextPatch, supportedUntil: null })
  })

  it('there is no notice for the running version, older ones, drafts, previews, times to come and other tags', async () => {
    publish(
      release(softwareVersion, 3),
      release('0.0.1', 90),
      release('9.0.0', 1, { draft: true }),
      release('9.0.1', 1, { prerelease: true }),
      release('9.0.2', -1),
      release('9.0.3', 1, { upcoming_release: true }),
      release('9.0.4-rc.1', 1),
      release('<b>9.0.5</b>', 1),
      release('999999.0.0', 1),
    )
    await check()
    expect(await found()).toBeNull()
  })

  it('reads the list of GitLab, which has another name for the time', async () => {
    publish({ tag_name: nextMinor, released_at: clock.now().toISOString() })
    await check()
    expect(await found()).toMatchObject({ version: nextMinor })
  })

  it.each([
    ['an error', () => new Response('no', { status: 500 })],
    ['a page of text', () => new Response('<!doctype html>')],
    ['another form', () => new Response('{"tag_name": 1}')],
    ['entries of another form', () => new Response('[{"tag_name": {"a": 1}}]')],
    ['more than a mebibyte', () => new Response(`["${'x'.repeat(1_100_000)}"]`)],
  ])('keeps what it knew where the answer is %s, and asks again after a day', async (_, broken) => {
    publish(release(nextMinor, 1))
    await check()
    const before = await found()
    clock.advance(day)
    answer = broken
    await check()
    expect(await found()).toEqual(before)
    expect(before).not.toBeNull()
    expect(await isDue()).toBe(false)
    clock.advance(day)
    expect(await isDue()).toBe(true)
  })

  it('a repository that does not answer at the first time is asked once a day', async () => {
    const end = fediverse.network.fail(list, { broken: 'refused' })
    expect(await isDue()).toBe(true)
    await check()
    end()
    expect([await found(), await isDue()]).toEqual([null, false])
  })

  it('reads a bounded number of a list of twelve thousand releases', async () => {
    answer = () => new Response(JSON.stringify(Array.from({ length: 12_000 }, () => release('9.9.9', 1))))
    await check()
    expect([await isDue(), requests()]).toEqual([false, 1])
  })

  it('an operator who turns notices off gets none, and no request is made', async () => {
    publish(release(nextMinor, 1))
    await check()
    await saveSettings(context(), operator, { releaseNotices: false })
    clock.advance(2 * day)
    expect([await isDue(), await found()]).toEqual([false, null])
  })

  it('a repository without an address on the web is never asked', async () => {
    const sent = context().http.sent()
    expect(releaseListOf(null)).toBeNull()
    await checkReleases(context(), null)
    expect(context().http.sent()).toBe(sent)
  })

  it('a check is one request and one statement, as its task says', async () => {
    const task = tasks.find(({ name }) => name === 'check-releases')
    expect(task).toMatchObject({ everyMinutes: 60, statements: 1 })
  })
})

describe('the list of releases of a repository', () => {
  it.each([
    ['https://github.com/a/b', 'https://api.github.com/repos/a/b/releases?per_page=30'],
    ['https://codeberg.org/a/b', 'https://codeberg.org/api/v1/repos/a/b/releases?limit=30'],
    ['https://gitlab.com/a/b/c', 'https://gitlab.com/api/v4/projects/a%2Fb%2Fc/releases?per_page=30'],
  ])('the list of releases of %s is at %s', (address, url) => {
    expect(releaseListOf(address)).toBe(url)
  })

  it.each([
    [
      'https://github.com/birds/copy/tree/abc123',
      'https://github.com/birds/copy/actions/workflows/update.yml',
    ],
    ['https://github.com/birds/copy', 'https://github.com/birds/copy/actions/workflows/update.yml'],
    ['https://github.com/Project/Fieldfare/tree/abc', null],
    ['https://github.com.evil.test/birds/copy', null],
    ['https://codeberg.org/birds/copy/src/commit/abc', null],
    ['https://social.example.org/about', null],
  ])('the copy at %s is updated at %s', (sourceUrl, workflow) => {
    expect(updateWorkflowOf(sourceUrl, 'https://github.com/project/fieldfare')).toBe(workflow)
  })
})
