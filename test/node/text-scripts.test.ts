import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instanceOf } from './instance'

const last = (orders: readonly { readonly path: string; readonly token: string; readonly body: unknown }[]) =>
  orders.at(-1)
const sent = (path: string, body: object) => ({ path: `/setup/${path}`, token: 'Bearer secret', body })

describe('fieldfare rules', () => {
  const { run: rules, orders, answers } = instanceOf('rules')

  it.each([
    [['change', '7', '--text', 'Be kind'], 'rules/change', { id: '7', text: 'Be kind' }],
    [['change', '7', '--hint', ''], 'rules/change', { id: '7', hint: '' }],
    [
      ['translate', '7', 'de', 'Sei nett', 'Immer'],
      'rules/translate',
      { id: '7', language: 'de', words: { text: 'Sei nett', hint: 'Immer' } },
    ],
    [['untranslate', '7', 'de'], 'rules/translate', { id: '7', language: 'de', words: null }],
    [['order', '8', '7'], 'rules/order', { ids: ['8', '7'] }],
    [['remove', '7', '--yes'], 'rules/remove', { id: '7' }],
  ] as const)('%j sends what it says with the set-up token', async (words, path, body) => {
    expect((await rules(...words)).failed).toBe(false)
    expect(orders).toEqual([sent(path, body)])
  })

  it('add prints the id, list has a line for each', async () => {
    answers.push({ status: 200, body: { id: '9' } })
    expect((await rules('add', 'Be kind')).out.trim()).toBe('Added as 9.')
    expect(last(orders)).toEqual(sent('rules/add', { text: 'Be kind' }))
    const rule = { id: '9', text: 'Be kind', hint: '', translations: { de: {}, fr: {} } }
    answers.push({ status: 200, body: { rules: [rule] } })
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

  it('publish sends the files and prints the day', async () => {
    answers.push({ status: 200, body: { date: '2027-01-31' } })
    const more = ['--changelog', join(folder, 'changes.md'), '--date', '2027-01-31', '--notify']
    const { out } = await terms('publish', join(folder, 'terms.md'), ...more)
    const body = { text: 'Be **kind**.', changelog: 'Kindness.', date: '2027-01-31', notify: true }
    expect(orders).toEqual([sent('terms/publish', body)])
    expect(out.trim()).toBe('In force from 2027-01-31 on. Members are being told.')
  })

  it.each([
    [['preview', '2027-01-31', 'ada'], 'terms/preview', { date: '2027-01-31', username: 'ada' }],
    [['notify', '2027-01-31'], 'terms/notify', { date: '2027-01-31' }],
    [['cancel', '2027-01-31', '--yes'], 'terms/cancel', { date: '2027-01-31' }],
  ] as const)('%j sends the day', async (words, path, body) => {
    expect((await terms(...words)).failed).toBe(false)
    expect(orders).toEqual([sent(path, body)])
  })

  it('list says how far the notice is, show prints the text', async () => {
    const version = { date: '2027-01-31', state: 'ahead', characters: 12, mails: 40 }
    const versions = [
      { ...version, notified_at: 'today', finished_at: null },
      { ...version, state: 'in force', notified_at: null, finished_at: null },
    ]
    answers.push({ status: 200, body: { versions } })
    expect((await terms('list')).out.trim().split('\n')).toEqual([
      '2027-01-31  ahead  12 characters  told today, 40 mails so far',
      '2027-01-31  in force  12 characters  members not told',
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
    expect(last(orders)).toEqual(sent('warnings/add', { title: 'Spam', text: 'No spam.' }))
    await warnings('change', '3', '--text', 'None.')
    expect(last(orders)).toEqual(sent('warnings/change', { id: '3', text: 'None.' }))
    await warnings('remove', '3', '--yes')
    expect(last(orders)).toEqual(sent('warnings/remove', { id: '3' }))
    answers.push({ status: 200, body: { warnings: [{ id: '3', title: '', text: 'None.' }] } })
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
