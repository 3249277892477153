import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { instanceOf } from './instance'

const { run: emojis, orders, answers } = instanceOf('emojis')
const file = fileURLToPath(new URL('../data/media/rgba.png', import.meta.url).href)

describe('fieldfare emojis', () => {
  it('add sends the picture with the set-up token and prints the outcome', async () => {
    const { out, failed } = await emojis('add', 'wren', file, '--category', 'Birds')
    const body = { shortcode: 'wren', category: 'Birds', picture: readFileSync(file).toString('base64') }
    expect(orders).toEqual([{ method: 'POST', path: '/setup/emojis/add', token: 'Bearer secret', body }])
    expect([failed, out.trim()]).toEqual([false, ':wren: is in use.'])
  })

  it('copy names the server', async () => {
    const { out } = await emojis('copy', 'owl', 'elsewhere.test')
    const body = { shortcode: 'owl', category: null, domain: 'elsewhere.test' }
    expect(orders).toMatchObject([{ path: '/setup/emojis/copy', body }])
    expect(out.trim()).toBe(':owl: of elsewhere.test is in use here.')
  })

  it.each([
    ['disable', ':wren: is out of use.'],
    ['enable', ':wren: is in use again.'],
    ['remove', ':wren: is gone.'],
  ])('%s sends the shortcode', async (command, words) => {
    const { out } = await emojis(command, 'wren', ...(command === 'remove' ? ['--yes'] : []))
    expect(orders).toMatchObject([{ path: `/setup/emojis/${command}`, body: { shortcode: 'wren' } }])
    expect(out.trim()).toBe(words)
  })

  it('category sets a category, and without a name removes it', async () => {
    await emojis('category', 'wren', 'Birds')
    await emojis('category', 'wren')
    expect(orders.map(({ body }) => body)).toEqual([
      { shortcode: 'wren', category: 'Birds' },
      { shortcode: 'wren', category: null },
    ])
  })

  it('list has a line for each', async () => {
    const url = 'https://fieldfare.test/media/emojis/1/a/original.png'
    const wren = { shortcode: 'wren', category: 'Birds', disabled: false, url }
    answers.push({ status: 200, body: { emojis: [wren, { ...wren, category: null, disabled: true }] } })
    const { out } = await emojis('list')
    expect(out.split('\n')).toEqual([`wren  Birds  in use  ${url}`, `wren  -  out of use  ${url}`, ''])
    answers.push({ status: 200, body: { emojis: [] } })
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
