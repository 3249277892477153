import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { instanceOf, sent } from './instance'

const { run: emojis, orders, answers } = instanceOf('emojis')
const file = fileURLToPath(new URL('../data/media/rgba.png', import.meta.url).href)

describe('fieldfare emojis', () => {
  it('fieldfare emojis add sends the picture with the set-up token and prints the outcome', async () => {
    const { out, failed } = await emojis('add', 'wren', file, '--category', 'Birds')
    const image = `data:application/octet-stream;base64,${readFileSync(file).toString('base64')}`
    const body = { shortcode: 'wren', category: 'Birds', image }
    expect(orders).toEqual([sent('POST', 'custom_emojis', body)])
    expect([failed, out.trim()]).toEqual([false, ':wren: is in use.'])
  })

  it('copy names the server', async () => {
    const { out } = await emojis('copy', 'owl', 'elsewhere.test')
    const body = { shortcode: 'owl', category: null, domain: 'elsewhere.test' }
    expect(orders).toEqual([sent('POST', 'custom_emojis/copy', body)])
    expect(out.trim()).toBe(':owl: of elsewhere.test is in use here.')
  })

  const found = {
    status: 200,
    body: [
      { id: '8', shortcode: 'wrens' },
      { id: '7', shortcode: 'wren' },
    ],
  }
  const finding = sent('GET', 'custom_emojis?q=wren&limit=200')

  it.each([
    ['disable', ':wren: is out of use.', sent('PUT', 'custom_emojis/7', { disabled: true })],
    ['enable', ':wren: is in use again.', sent('PUT', 'custom_emojis/7', { disabled: false })],
    ['hide', ':wren: is in no picker.', sent('PUT', 'custom_emojis/7', { visible_in_picker: false })],
    ['show', ':wren: is in pickers again.', sent('PUT', 'custom_emojis/7', { visible_in_picker: true })],
    ['remove', ':wren: is gone.', sent('DELETE', 'custom_emojis/7')],
  ])('%s finds the emoji by its shortcode', async (command, words, order) => {
    answers.push(found)
    const { out } = await emojis(command, 'wren', ...(command === 'remove' ? ['--yes'] : []))
    expect(orders).toEqual([finding, order])
    expect(out.trim()).toBe(words)
  })

  it('category sets a category, and without a name removes it', async () => {
    answers.push(found)
    await emojis('category', 'wren', 'Birds')
    answers.push(found, { status: 200, body: {} }, found)
    await emojis('category', 'wren')
    expect(orders.flatMap(({ body }) => body ?? [])).toEqual([{ category: 'Birds' }, { category: null }])
  })

  it('says that there is no such emoji', async () => {
    answers.push({ status: 200, body: [] })
    const { code, problem } = await emojis('hide', 'wren')
    expect([code, problem]).toEqual([1, expect.stringContaining('There is no emoji wren.')])
  })

  it('fieldfare emojis list has a line for each, by shortcode', async () => {
    const url = 'https://fieldfare.test/media/emojis/1/a/original.png'
    const wren = { shortcode: 'wren', category: 'Birds', disabled: false, url }
    const next = '/api/fieldfare/v1/admin/custom_emojis?limit=200&max_id=7'
    answers.push({ status: 200, body: [wren], next })
    answers.push({ status: 200, body: [{ ...wren, shortcode: 'owl', category: null, disabled: true }] })
    const { out } = await emojis('list')
    expect(orders).toEqual([sent('GET', 'custom_emojis?limit=200'), sent('GET', next)])
    expect(out.split('\n')).toEqual([`owl  -  out of use  ${url}`, `wren  Birds  in use  ${url}`, ''])
    answers.push({ status: 200, body: [] })
    expect((await emojis('list')).out.trim()).toBe('This server has no custom emojis yet.')
  })

  it('fails with the reason of a refusal, and for an unreadable file', async () => {
    answers.push({ status: 422, body: { error: 'Validation failed: Picture must be PNG, GIF or WebP' } })
    expect((await emojis('add', 'wren', file)).problem).toContain('refused (422): Validation failed: Picture')
    const { failed, problem } = await emojis('add', 'wren', `${file}.not`)
    expect(failed).toBe(true)
    expect(problem).toContain('cannot be read')
  })

  it.each([
    [[]],
    [['add', 'wren']],
    [['copy', 'wren']],
    [['dance', 'wren']],
    [['list', 'all']],
    [['remove']],
  ])('explains itself to %j and sends nothing', async (words) => {
    const { failed, problem } = await emojis(...words)
    expect(failed).toBe(true)
    expect(problem).toContain('npx fieldfare emojis')
    expect(orders).toEqual([])
  })
})
