import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instanceOf, sent } from './instance'

describe('fieldfare rules', () => {
  const { run: rules, orders, answers } = instanceOf('rules')

  it.each([
    [['change', '7', '--text', 'Be kind'], sent('PUT', 'rules/7', { text: 'Be kind' })],
    [['change', '7', '--hint', ''], sent('PUT', 'rules/7', { hint: '' })],
    [['order', '8', '7'], sent('POST', 'rules/order', { ids: ['8', '7'] })],
    [['remove', '7', '--yes'], sent('DELETE', 'rules/7')],
  ])('%j sends what it says with the set-up token', async (words, order) => {
    expect((await rules(...words)).failed).toBe(false)
    expect(orders).toEqual([order])
  })

  it.each([
    [
      ['translate', '7', 'de', 'Sei nett', 'Immer'],
      { de: { text: 'Sei nett', hint: 'Immer' }, fr: { text: 'Sois gentil' } },
    ],
    [['untranslate', '7', 'fr'], {}],
  ])('%j leaves other translations as they are', async (words, translations) => {
    answers.push({ status: 200, body: { id: '7', translations: { fr: { text: 'Sois gentil' } } } })
    expect((await rules(...words)).failed).toBe(false)
    expect(orders).toEqual([sent('GET', 'rules/7'), sent('PUT', 'rules/7', { translations })])
  })

  it('fieldfare rules add prints the id, list has a line for each', async () => {
    answers.push({ status: 200, body: { id: '9' } })
    expect((await rules('add', 'Be kind')).out.trim()).toBe('Added as 9.')
    expect(orders.at(-1)).toEqual(sent('POST', 'rules', { text: 'Be kind' }))
    const rule = { id: '9', text: 'Be kind', hint: '', translations: { de: {}, fr: {} } }
    answers.push({ status: 200, body: [rule] })
    expect((await rules('list')).out.trim()).toBe('9  Be kind  -  de fr')
  })

  it.each([[[]], [['add']], [['change', '7']], [['translate', '7', 'de']], [['list', '--text', 'x']]])(
    'explains itself to %j and sends nothing',
    async (words) => {
      const { failed, problem } = await rules(...words)
      expect([failed, orders]).toEqual([true, []])
      expect(problem).toContain('npx fieldfare rules')
    },
  )
})

describe('fieldfare terms', () => {
  const { run: terms, orders, answers } = instanceOf('terms')
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'terms-'))
    writeFileSync(join(folder, 'terms.md'), 'Be **kind**.')
    writeFileSync(join(folder, 'changes.md'), 'Kindness.')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('fieldfare terms publish sends the files and prints the day', async () => {
    answers.push({ status: 200, body: { effective_date: '2027-01-31' } })
    const more = ['--changelog', join(folder, 'changes.md'), '--date', '2027-01-31', '--notify']
    const { out } = await terms('publish', join(folder, 'terms.md'), ...more)
    const body = { text: 'Be **kind**.', changelog: 'Kindness.', effective_date: '2027-01-31', notify: true }
    expect(orders).toEqual([sent('POST', 'terms', body)])
    expect(out.trim()).toBe('In force from 2027-01-31 on. Members are being notified.')
  })

  it.each([
    [['notify', '2027-01-31'], sent('POST', 'terms/2027-01-31/notify')],
    [['cancel', '2027-01-31', '--yes'], sent('DELETE', 'terms/2027-01-31')],
  ])('%j sends the day', async (words, order) => {
    expect((await terms(...words)).failed).toBe(false)
    expect(orders).toEqual([order])
  })

  it('preview names the member only to instances that mail nobody else', async () => {
    const preview = () => terms('preview', '2027-01-31', 'ada')
    answers.push({ status: 200, body: { api_versions: { mastodon: 11, fieldfare: 1 } } })
    expect((await preview()).out.trim()).toBe('Mailed to ada.')
    expect(orders.at(-1)).toEqual(sent('POST', 'terms/2027-01-31/preview', { acct: 'ada' }))
    answers.push({ status: 200, body: { version: '4.6.5+fieldfare-0.1.0', api_versions: { mastodon: 11 } } })
    const { code, problem } = await preview()
    expect([code, problem]).toEqual([1, expect.stringContaining('is older than this command')])
    expect(orders.at(-1)).toMatchObject({ method: 'GET', path: '/api/v2/instance' })
  })

  it('fieldfare terms list shows the state of the notice, show prints the text', async () => {
    const version = { effective_date: '2027-01-31', effective: false, characters: 12, notification_mails: 40 }
    const inForce = { ...version, effective: true, notification_sent_at: null }
    const versions = [
      { ...version, notification_sent_at: 'today', notification_finished_at: null },
      { ...inForce, notification_finished_at: null },
      { ...inForce, effective_date: '2026-01-31' },
    ]
    answers.push({ status: 200, body: versions })
    expect((await terms('list')).out.trim().split('\n')).toEqual([
      '2027-01-31  ahead  12 characters  told today, 40 mails so far',
      '2027-01-31  in force  12 characters  members not told',
      '2026-01-31  past  12 characters  members not told',
    ])
    answers.push({ status: 200, body: { text: 'Be **kind**.', changelog: '' } })
    expect((await terms('show', '2027-01-31')).out).toBe('Be **kind**.\n')
  })

  it('fails with the reason of a refusal, and where a file is missing', async () => {
    answers.push({ status: 409, body: { error: 'Members were told about these terms already' } })
    expect((await terms('notify', '2027-01-31')).problem).toContain('refused (409): Members were told')
    expect((await terms('publish', join(folder, 'none.md'))).problem).toContain('cannot be read: ENOENT')
  })

  it.each([[[]], [['publish']], [['notify']], [['preview', '2027-01-31']], [['list', '--notify']]])(
    'explains itself to %j and sends nothing',
    async (words) => {
      const { failed, problem } = await terms(...words)
      expect([failed, orders]).toEqual([true, []])
      expect(problem).toContain('npx fieldfare terms')
    },
  )
})

describe('fieldfare warnings', () => {
  const { run: warnings, orders, answers } = instanceOf('warnings')

  it('add, change, remove and list', async () => {
    answers.push({ status: 200, body: { id: '3' } })
    expect((await warnings('add', 'Spam', 'No spam.')).out.trim()).toBe('Added as 3.')
    expect(orders.at(-1)).toEqual(sent('POST', 'warning_presets', { title: 'Spam', text: 'No spam.' }))
    await warnings('change', '3', '--text', 'None.')
    expect(orders.at(-1)).toEqual(sent('PUT', 'warning_presets/3', { text: 'None.' }))
    await warnings('remove', '3', '--yes')
    expect(orders.at(-1)).toEqual(sent('DELETE', 'warning_presets/3'))
    answers.push({ status: 200, body: [{ id: '3', title: '', text: 'None.' }] })
    expect((await warnings('list')).out.trim()).toBe('3  -  None.')
  })

  it.each([[[]], [['add', 'Spam']], [['change', '3']], [['remove', '3', '4']], [['list', '--text', 'x']]])(
    'explains itself to %j and sends nothing',
    async (words) => {
      const { failed, problem } = await warnings(...words)
      expect([failed, orders]).toEqual([true, []])
      expect(problem).toContain('npx fieldfare warnings')
    },
  )
})
