import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { archivedActor, archivedPost } from '../../support/mastodon-archive'
import { withChromium } from '../support/browser'
import { type Effect, Panel } from '../support/panel'
import { routesOf } from '../support/panel-flows'
import { Visitor } from '../support/visitor'

const api = '/api/fieldfare/v1/admin'
const WithId = z.object({ id: z.string() })
const Strikes = z.array(z.object({ id: z.string(), action: z.string() }))

withChromium('people, reports and appeals, in the panel', () => {
  let panel: Panel
  beforeAll(async () => {
    panel = await Panel.open({}, { registrations: 'approval' })
  })
  afterAll(() => panel?.close())

  const pathOf = (id: string) => `/api/v1/admin/accounts/${id}` as const
  const account = (id: string) => panel.one(pathOf(id))

  /** Decides about an account or a report on the page of the decision, which asks once. */
  async function decide(choice: string, effect: Effect, words = ''): Promise<string> {
    await panel.page.getByRole('link', { name: choice, exact: true }).click()
    await panel.page.locator('main [name=confirmed]').waitFor()
    if (words !== '') await panel.page.getByLabel('Message').fill(words)
    return panel.press(choice, effect)
  }

  it('approves and rejects sign-ups', async () => {
    for (const username of ['siskin', 'shrike']) {
      const visitor = new Visitor(panel.instance.origin)
      await visitor.submit(await visitor.open('/auth/sign_up'), '/auth/sign_up', {
        username,
        email: `${username}@birds.example`,
        password: 'alder-and-birch',
        password_confirmation: 'alder-and-birch',
        agreement: 'true',
        reason: `I am a ${username}`,
      })
    }
    const waiting = '/api/v2/admin/accounts?status=pending'
    const pending = async () => (await panel.list(waiting)).map(({ username }) => username).toSorted()
    expect(await pending()).toEqual(['shrike', 'siskin'])
    await panel.go('/admin/dashboard')
    await panel.page.getByRole('link', { name: /2\s+sign-ups/ }).click()
    expect(await panel.press('Approve', waiting, panel.entry('I am a siskin'))).toMatch(
      /^The account is approved/,
    )
    await panel.go('/admin/accounts?status=pending')
    expect(await panel.confirm('Reject', waiting, panel.entry('I am a shrike'))).toBe(
      'The sign-up is removed.',
    )
    expect(await pending()).toEqual([])
    expect(await panel.list('/api/v2/admin/accounts?username=shrike')).toEqual([])
    expect(await panel.list('/api/v2/admin/accounts?username=siskin')).toMatchObject([{ approved: true }])
  })

  it('finds accounts by name, e-mail and state', async () => {
    await panel.go('/admin/accounts')
    await panel.page.getByLabel('E-mail begins with').fill('siskin@')
    await panel.page.getByRole('button', { name: 'Filter' }).click()
    await panel.page.getByRole('row', { name: 'siskin@birds.example' }).waitFor()
    expect(await panel.page.locator('tbody > tr').count()).toBe(1)
    expect(await panel.page.getByLabel('E-mail begins with').inputValue()).toBe('siskin@')
    await panel.page.getByLabel('State', { exact: true }).selectOption({ label: 'Suspended' })
    await panel.page.getByRole('button', { name: 'Filter' }).click()
    await panel.page.getByText('No matching accounts.').waitFor()
    await panel.go('/admin/accounts?ip=nonsense')
    await panel.page.getByText('This is not an IP address.').waitFor()
  })

  it('applies and undoes every decision about an account', async () => {
    const { id, call } = await panel.member('target')
    await panel.go(`/admin/accounts/${id}`)
    for (const [choice, undoing, field] of [
      ['Mark all media as sensitive', 'Stop marking media as sensitive', 'sensitized'],
      ['Disable', 'Enable sign-in', 'disabled'],
      ['Limit', 'Lift the limit', 'silenced'],
      ['Suspend', 'Lift the suspension', 'suspended'],
    ] as const) {
      expect(await decide(choice, pathOf(id), `About ${field}`)).toBe('The action has been taken.')
      expect(await account(id)).toMatchObject({ [field]: true })
      expect(await panel.press(undoing, pathOf(id))).not.toBe('')
      expect(await account(id)).toMatchObject({ [field]: false })
    }
    const strikes = Strikes.parse(await call('GET', '/api/fieldfare/v1/strikes'))
    expect(strikes.map(({ action }) => action)).toEqual(['suspend', 'silence', 'disable', 'sensitive'])
    const history = panel.region('History')
    await history.getByText('About suspended').waitFor()
    await panel.go('/admin/action_logs')
    await panel.page.getByText('target').first().waitFor()
  })

  it('says what a decision does, keeps a message that is too long, and decides nothing when cancelled', async () => {
    const { id } = await panel.member('spared')
    await panel.api('POST', `${api}/warning_presets`, WithId, { title: 'Long', text: 'x'.repeat(5_000) })
    await panel.go(`/admin/accounts/${id}`)
    const { page } = panel
    const message = 'Think of the nests.'.repeat(300)
    await page.getByRole('link', { name: 'Suspend', exact: true }).click()
    await page.getByRole('heading', { name: 'Suspend @spared?' }).waitFor()
    await page.getByText('Posts and boosts').waitFor()
    await page.getByText('appeal against it once').waitFor()
    await page.getByLabel('Saved reply').selectOption({ label: 'Long' })
    await page.getByLabel('Message').fill(message)
    await page.getByLabel('Notify the person').uncheck()
    await panel.refused('Suspend')
    await page.locator('.note.danger').getByText('too long').waitFor()
    expect(await page.getByLabel('Message').inputValue()).toBe(message)
    expect(await page.getByLabel('Notify the person').isChecked()).toBe(false)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    expect(await account(id)).toMatchObject({ suspended: false })
  })

  it('charts name the day under the pointer, or selected by keys', async () => {
    await panel.go('/admin/dashboard')
    const { page } = panel
    const figure = page.locator('figure').filter({ hasText: 'Sign-ups' })
    const days = await figure
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map(({ children: [day, count] }) => `${day?.textContent}: ${count?.textContent}`),
      )
    const [today = '', yesterday = ''] = days
    expect(today).toMatch(/^\d{1,2} \w+ \d{4}: [1-9]\d*$/)
    const chart = page.getByRole('slider', { name: 'Sign-ups', exact: true })
    const caption = figure.locator('.measure-day')
    const heightOf = async () => (await figure.boundingBox())?.height
    const height = await heightOf()

    for (const [key, named] of [
      ['End', today],
      ['ArrowLeft', yesterday],
      ['ArrowRight', today],
      ['ArrowRight', today],
      ['Home', days.at(-1)],
    ] as const) {
      await chart.press(key)
      expect([key, await caption.textContent(), await chart.getAttribute('aria-valuetext')]).toEqual([
        key,
        named,
        named,
      ])
    }
    expect(await heightOf()).toBe(height)
    await chart.blur()
    expect(await caption.textContent()).toBe('')

    const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    await page.mouse.move(box.x + box.width - 1, box.y + 1)
    expect(await caption.textContent()).toBe(today)
    await page.mouse.move(0, 0)
    expect(await caption.textContent()).toBe('')
  })

  it('charts are pictures beside their table without scripts', async () => {
    const page = await panel.openWithoutScripts('/admin/dashboard')
    expect(await page.getByRole('slider').count()).toBe(0)
    expect(await page.locator('figure rect').count()).toBe(await page.locator('figure tbody tr').count())
    await page.getByText('Numbers Sign-ups').click()
    expect(await page.getByRole('row').first().isVisible()).toBe(true)
    await page.context().close()
  })

  it('stores notes of moderators about an account', async () => {
    const { id } = await panel.member('noted')
    await panel.go(`/admin/accounts/${id}`)
    await panel.page.getByLabel('New note').fill('Talks a lot about seeds.')
    expect(await panel.press('Add note', `${api}/accounts/${id}/notes`)).toBe('The note is added.')
    await panel.region('Notes').getByText('Talks a lot about seeds.').waitFor()
    expect(await panel.press('Delete note', `${api}/accounts/${id}/notes`)).toBe('The note is deleted.')
    expect(await panel.page.getByText('Talks a lot about seeds.').count()).toBe(0)
  })

  it('assigns and removes the role of a member', async () => {
    const { id } = await panel.member('helper')
    await panel.go(`/admin/accounts/${id}`)
    const select = panel.page.getByLabel('Role of the account')
    await select.selectOption({ label: 'Moderator' })
    expect(await panel.press('Change the role', pathOf(id))).toBe('The account has another role now.')
    expect(await account(id)).toMatchObject({ role: { name: 'Moderator' } })
    await select.selectOption({ label: 'None' })
    await panel.press('Change the role', pathOf(id))
    expect(await account(id)).not.toMatchObject({ role: { name: 'Moderator' } })
  })

  it('deletes several posts of an account at once', async () => {
    const talker = await panel.member('talker')
    const { id, call } = talker
    const theirs = `/api/v1/accounts/${id}/statuses` as const
    for (const text of ['One seed', 'Two seeds', 'Three seeds'])
      await call('POST', '/api/v1/statuses', { status: text })
    await panel.go(`/admin/accounts/${id}`)
    for (const text of ['One seed', 'Three seeds'])
      await panel.entry(text).getByRole('checkbox', { name: 'Select the post' }).check()
    const posts = panel.region('Newest posts')
    await posts.getByText('Take action on the selected posts').click()
    await posts.getByText('A strike keeps them as evidence').waitFor()
    await posts.getByRole('radio', { name: 'Delete the posts' }).check()
    await posts.getByLabel('Message').fill('Too many seeds.')
    expect(await panel.confirm('Apply', [talker, theirs], posts)).toBe('The action has been taken.')
    const left = z.array(z.object({ content: z.string() }))
    expect(left.parse(await call('GET', theirs))).toEqual([{ content: '<p>Two seeds</p>' }])
    expect(Strikes.parse(await call('GET', '/api/fieldfare/v1/strikes'))).toMatchObject([
      { action: 'delete_statuses' },
    ])
    await panel.region('History').getByText('Too many seeds.').waitFor()
  })

  it('deletes the data of a suspended account at once', async () => {
    const { id } = await panel.member('gone')
    await panel.go(`/admin/accounts/${id}`)
    await decide('Suspend', pathOf(id))
    expect(await panel.confirm('Delete the data now', pathOf(id))).toBe(
      'The data of the account are being deleted.',
    )
  })

  /** A report by a member about a post of another. */
  async function reported(name: string) {
    const [target, reporter] = [await panel.member(`${name}_target`), await panel.member(`${name}_reporter`)]
    const status = WithId.parse(
      await target.call('POST', '/api/v1/statuses', { status: `Cheap seeds by ${name}` }),
    )
    const report = WithId.parse(
      await reporter.call('POST', '/api/v1/reports', {
        account_id: target.id,
        status_ids: [status.id],
        comment: 'Sells seeds',
        category: 'spam',
      }),
    )
    return { target, status, id: report.id }
  }
  const reportAt = (id: string) => `/api/v1/admin/reports/${id}` as const
  const report = (id: string) => panel.one(reportAt(id))

  it('assigns, unassigns, annotates, resolves and reopens a report', async () => {
    const { id } = await reported('first')
    await panel.go('/admin/reports')
    await panel
      .entry('first_target')
      .getByRole('link', { name: /first_target/ })
      .click()
    await panel.page.getByText('Cheap seeds by first').waitFor()
    expect(await panel.press('Assign to me', reportAt(id))).toBe('The report is assigned to you.')
    expect(await report(id)).toMatchObject({ assigned_account: { username: 'owner' } })
    expect(await panel.press('Unassign', reportAt(id))).toBe('The report is no longer assigned.')
    expect(await report(id)).toMatchObject({ assigned_account: null })
    await panel.page.getByLabel('New note').fill('Asked them.')
    expect(await panel.press('Add note', `${api}/reports/${id}/notes`)).toBe('The note is added.')
    expect(await panel.press('Delete note', `${api}/reports/${id}/notes`)).toBe('The note is deleted.')
    expect(await decide('Resolve without action', reportAt(id))).toBe('The report is resolved.')
    expect(await report(id)).toMatchObject({ action_taken: true })
    expect(await panel.press('Reopen', reportAt(id))).toBe('The report has been reopened.')
    expect(await report(id)).toMatchObject({ action_taken: false })
  })

  it('marks or deletes the posts of a report, and an appeal removes marks', async () => {
    const { target, id } = await reported('second')
    const theirs = `/api/v1/accounts/${target.id}/statuses` as const
    await panel.go(`/admin/reports/${id}`)
    expect(await decide('Delete the posts', [target, theirs], 'No adverts.')).toBe(
      'The action has been taken and the report is resolved.',
    )
    const posts = z.array(WithId)
    expect(posts.parse(await target.call('GET', theirs))).toEqual([])
    expect(await report(id)).toMatchObject({ action_taken: true })
  })

  it.each([
    ['Approve', 'The decision is undone and the member has been notified.', false],
    ['Reject', 'The appeal is rejected and its author has been notified.', true],
  ])('appeals: %s', async (verdict, notice, isLimited) => {
    const { id, call } = await panel.member(`appeals_${verdict.toLowerCase()}`)
    await panel.go(`/admin/accounts/${id}`)
    await decide('Limit', pathOf(id))
    const [strike] = Strikes.parse(await call('GET', '/api/fieldfare/v1/strikes'))
    await call('POST', `/api/fieldfare/v1/strikes/${strike?.id}/appeal`, { text: `Please ${verdict}` })
    await panel.go('/admin/disputes/appeals')
    expect(await panel.confirm(verdict, `${api}/appeals`, panel.entry(`Please ${verdict}`))).toBe(notice)
    expect(await account(id)).toMatchObject({ silenced: isLimited })
  })

  it('ends invitations, one and all', async () => {
    const path = '/api/v1/invites'
    await panel.go('/invites')
    for (const _ of [1, 2, 3]) {
      await panel.page.getByRole('button', { name: /^(Create|Make|Invite|Generate)/ }).click()
      await panel.page.waitForLoadState()
    }
    await panel.go('/admin/invites')
    const usable = panel.page.getByText('usable', { exact: true })
    expect([path, await usable.count()]).toEqual([path, 3])
    expect(await panel.press('End', `${api}/invites`, panel.page.locator('ul.entries'))).toBe(
      'The invitation no longer works.',
    )
    expect(await usable.count()).toBe(2)
    expect(await panel.confirm('End all', `${api}/invites`)).toBe('All invitations have been ended.')
    expect(await usable.count()).toBe(0)
  })

  it('shows imported archives with their size, and removes them', async () => {
    const { call } = await panel.member('mover')
    const imports = '/api/fieldfare/v1/archive_imports'
    const { id } = WithId.parse(await call('POST', imports, { actor: archivedActor }))
    const items = [archivedPost(1, '2019-05-04T10:20:30Z', '<p>A nest</p>')]
    await call('POST', `${imports}/${id}/statuses`, { items })
    await panel.go('/admin/archive_imports')
    const entry = panel.entry('@mover')
    expect(await entry.innerText()).toMatch(/not verified[\s\S]*1 post/)
    expect(await panel.confirm('Remove', `${api}/archive_imports`, entry)).toBe(
      'The imported posts are being deleted.',
    )
    expect(await panel.entry('@mover').innerText()).toContain('Removed on')
  })

  it('logs no errors, and sent every form of these pages', () => {
    expect(panel.complaints).toEqual([])
    expect(routesOf('people').filter((route) => !panel.used.has(route))).toEqual([])
  })
})
