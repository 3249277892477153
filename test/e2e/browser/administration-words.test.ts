import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { withChromium } from '../support/browser'
import { type Json, Panel } from '../support/panel'
import { routesOf } from '../support/panel-flows'

const api = '/api/fieldfare/v1/admin'

withChromium('words, blocks and roles of a server, in the panel', () => {
  let panel: Panel
  beforeAll(async () => {
    panel = await Panel.open()
  })
  afterAll(() => panel?.close())

  const found = async (path: string, name: string, value: unknown): Promise<Json | undefined> =>
    (await panel.list(path)).find((one) => one[name] === value)

  it('adds, changes and deletes rules', async () => {
    const rules = async () =>
      (await panel.list('/api/v1/instance/rules')).map(({ text, hint }) => [text, hint])
    await panel.go('/admin/rules')
    await panel.page.getByRole('textbox', { name: 'Rule' }).fill('No cats')
    await panel.page.getByLabel('Explanation').fill('Birds live here.')
    expect(await panel.press('Add a rule', '/api/v1/instance/rules')).toBe('Added.')
    expect(await rules()).toEqual([['No cats', 'Birds live here.']])
    await panel.entry('No cats').getByRole('link', { name: 'Change' }).click()
    expect(await panel.page.getByLabel('Explanation').inputValue()).toBe('Birds live here.')
    await panel.page.getByRole('textbox', { name: 'Rule' }).fill('Few cats')
    expect(await panel.press('Save', '/api/v1/instance/rules')).toBe('Saved.')
    expect(await rules()).toEqual([['Few cats', 'Birds live here.']])
    expect(await panel.confirm('Delete', '/api/v1/instance/rules', panel.entry('Few cats'))).toBe('Removed.')
    expect(await rules()).toEqual([])
  })

  it('keeps refused values in the form, with the reason', async () => {
    await panel.go('/admin/announcements')
    await panel.page.getByLabel('Text').fill('Soon')
    await panel.page.getByLabel('Event begins').fill('2031-01-02T10:00')
    await panel.refused('Announce')
    await panel.page
      .getByText(/enter both a start and an end/i)
      .first()
      .waitFor()
    expect(await panel.page.getByLabel('Text').inputValue()).toBe('Soon')
    expect(await panel.page.getByLabel('Event begins').inputValue()).toBe('2031-01-02T10:00')
  })

  it('creates, changes, withdraws, publishes and deletes announcements', async () => {
    const reader = await panel.member('reader')
    const shownTo = [reader, '/api/v1/announcements'] as const
    const Announcements = z.array(z.object({ content: z.string() }))
    const shown = async () =>
      Announcements.parse(await reader.call('GET', '/api/v1/announcements')).map(({ content }) => content)
    await panel.go('/admin/announcements')
    await panel.page.getByLabel('Text').fill('The feeders are full')
    expect(await panel.press('Announce', shownTo)).toBe('Added.')
    expect(await shown()).toEqual(['<p>The feeders are full</p>'])
    await panel.entry('feeders').getByRole('link', { name: 'Change' }).click()
    await panel.page.getByLabel('Text').fill('The feeders are empty')
    expect(await panel.press('Save', shownTo)).toBe('Saved.')
    expect(await shown()).toEqual(['<p>The feeders are empty</p>'])
    expect(await panel.press('Withdraw', shownTo, panel.entry('feeders'))).toBe(
      'The announcement is a draft again.',
    )
    expect(await shown()).toEqual([])
    expect(await panel.press('Publish now', shownTo, panel.entry('feeders'))).toBe('Published.')
    expect(await shown()).toEqual(['<p>The feeders are empty</p>'])
    expect(await panel.confirm('Delete', shownTo, panel.entry('feeders'))).toBe('Removed.')
    expect(await shown()).toEqual([])
  })

  it('adds, changes and deletes warning presets', async () => {
    await panel.go('/admin/warning_presets')
    await panel.page.getByLabel('Title').fill('Adverts')
    await panel.page.getByLabel('Text').fill('No adverts here.')
    await panel.press('Add a saved reply', `${api}/warning_presets`)
    expect(await found(`${api}/warning_presets`, 'title', 'Adverts')).toMatchObject({
      text: 'No adverts here.',
    })
    await panel.entry('Adverts').getByRole('link', { name: 'Change' }).click()
    await panel.page.getByLabel('Title').fill('Spam')
    expect(await panel.press('Save', `${api}/warning_presets`)).toBe('Saved.')
    expect(await found(`${api}/warning_presets`, 'title', 'Spam')).toBeDefined()
    await panel.confirm('Delete', `${api}/warning_presets`, panel.entry('Spam'))
    expect(await panel.list(`${api}/warning_presets`)).toEqual([])
  })

  it('blocks networks, changes the block and lifts it', async () => {
    const blocks = () => panel.list('/api/v1/admin/ip_blocks')
    await panel.go('/admin/ip_blocks')
    await panel.page.getByLabel('Address or network').fill('192.0.2.0/24')
    await panel.page.getByLabel('What is blocked').selectOption({ label: 'No sign-up' })
    await panel.page.getByLabel('Expiry').selectOption({ label: '1 day' })
    await panel.page.getByLabel('Comment').fill('A wave')
    expect(await panel.press('Block a network', '/api/v1/admin/ip_blocks')).toBe('Added.')
    expect(await blocks()).toMatchObject([
      { ip: '192.0.2.0/24', severity: 'sign_up_block', comment: 'A wave', expires_at: expect.any(String) },
    ])
    await panel.entry('192.0.2.0/24').getByRole('link', { name: 'Change' }).click()
    await panel.page.getByLabel('Expiry').selectOption({ label: 'Never expires' })
    expect(await panel.press('Save', '/api/v1/admin/ip_blocks')).toBe('Saved.')
    expect(await blocks()).toMatchObject([{ expires_at: null, comment: 'A wave' }])
    expect(await panel.confirm('Lift', '/api/v1/admin/ip_blocks', panel.entry('192.0.2.0/24'))).toBe(
      'Removed.',
    )
    expect(await blocks()).toEqual([])
  })

  it.each([
    [
      '/admin/email_domain_blocks',
      { Domain: 'spam.test' },
      'Block a domain',
      'spam.test',
      '/api/v1/admin/email_domain_blocks',
    ],
    [
      '/admin/canonical_email_blocks',
      { 'E-mail address': 'a.b+c@spam.test' },
      'Block an address',
      '',
      '/api/v1/admin/canonical_email_blocks',
    ],
    [
      '/admin/domain_allows',
      { Domain: 'friend.example' },
      'Allow a server',
      'friend.example',
      '/api/v1/admin/domain_allows',
    ],
    [
      '/admin/blocklist_exceptions',
      { Domain: 'friend.example', 'Comment for moderators': 'Known' },
      'Add an exception',
      'friend.example',
      `${api}/domain_blocks/exceptions`,
    ],
  ] as const)('%s: adds and removes an entry', async (path, fields, button, shown, list) => {
    await panel.go(path)
    for (const [label, value] of Object.entries(fields))
      await panel.page.getByLabel(label).first().fill(value)
    expect(await panel.press(button, list)).toBe('Added.')
    expect(await panel.list(list)).toHaveLength(1)
    expect(await panel.confirm('', list, panel.entry(shown))).toBe('Removed.')
    expect(await panel.list(list)).toEqual([])
  })

  it('blocks usernames, changes the block and lifts it', async () => {
    const blocks = () => panel.list(`${api}/username_blocks`)
    await panel.go('/admin/username_blocks')
    await panel.page.getByLabel('Name', { exact: true }).fill('admin')
    expect(await panel.press('Block a name', `${api}/username_blocks`)).toBe('Added.')
    expect(await blocks()).toMatchObject([{ username: 'admin' }])
    await panel.entry('admin').getByRole('link', { name: 'Change' }).click()
    await panel.page.getByLabel('Names to block').selectOption({ label: 'all names that contain it' })
    await panel.page.getByLabel('Allow sign-up with approval').check()
    expect(await panel.press('Save', `${api}/username_blocks`)).toBe('Saved.')
    await panel.entry('needs approval').waitFor()
    expect(await panel.confirm('Lift', `${api}/username_blocks`, panel.entry('admin'))).toBe('Removed.')
    expect(await blocks()).toEqual([])
  })

  it('adds, changes, assigns and deletes roles', async () => {
    const role = async (name: string) => found(`${api}/roles`, 'name', name)
    await panel.go('/admin/roles')
    await panel.unfold('Add a role')
    await panel.page.getByLabel('Name', { exact: true }).fill('Helpers')
    await panel.page.getByLabel('Rank').fill('2')
    await panel.page.getByLabel('Handle reports').check()
    expect(await panel.press('Add a role', `${api}/roles`)).toBe('Added.')
    expect(await role('Helpers')).toMatchObject({ position: 2 })
    await panel.entry('Helpers').getByRole('link', { name: 'Change' }).click()
    expect(await panel.page.getByLabel('Handle reports').isChecked()).toBe(true)
    await panel.page.getByLabel('Name', { exact: true }).fill('Wardens')
    expect(await panel.press('Save', `${api}/roles`)).toBe('Saved.')
    expect(await role('Wardens')).toMatchObject({ position: 2 })
    expect(await panel.confirm('Delete', `${api}/roles`, panel.entry('Wardens'))).toBe('Removed.')
    expect(await role('Wardens')).toBeUndefined()
  })

  it('logs no errors, and sent every form of these pages', () => {
    expect(panel.complaints).toEqual([])
    expect(routesOf('words').filter((route) => !panel.used.has(route))).toEqual([])
  })
})
