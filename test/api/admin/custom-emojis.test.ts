import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AdminCustomEmoji } from '../../../src/contract/entities/admin/instance'
import { customEmojis } from '../../../src/db/schema'
import { anonymous, as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { freshName, given, type TestAccount } from '../../support/given'
import { givenOwner } from '../../support/given-staff'
import { mediaFile } from '../../support/media'
import { context } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/custom_emojis'

function form(fields: Readonly<Record<string, string>>, file: Uint8Array | null = mediaFile('rgba.png')) {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  if (file !== null) data.set('image', new Blob([new Uint8Array(file)]), 'emoji.png')
  return data
}

describe('custom emojis for administrators', () => {
  let owner: TestAccount
  beforeAll(async () => {
    owner = await givenOwner()
  })
  afterEach(async () => {
    await context().db.delete(customEmojis)
  })

  async function create(fields: Readonly<Record<string, string>> = {}) {
    const { body } = await as(owner).post(path, form({ shortcode: freshName('wren'), ...fields }))
    return AdminCustomEmoji.parse(body)
  }
  async function pickable(): Promise<readonly string[]> {
    const { body } = await anonymous.get('/api/v1/custom_emojis')
    return z
      .array(z.looseObject({ shortcode: z.string() }))
      .parse(body)
      .map(({ shortcode }) => shortcode)
  }

  it('uploads emojis that can be picked and posted', async () => {
    const emoji = await create({ category: ' Birds ' })
    expect(emoji).toMatchObject({ category: 'Birds', visible_in_picker: true, disabled: false })
    expect(await pickable()).toEqual([emoji.shortcode])
    const status = await as(await given.account()).post('/api/v1/statuses', {
      status: `a :${emoji.shortcode}:`,
    })
    expect(status.body).toMatchObject({ emojis: [{ shortcode: emoji.shortcode, url: emoji.url }] })
  })

  it.each([
    ['no picture', {}, null],
    ['another kind of file', {}, new TextEncoder().encode('<svg/>')],
    ['a file that is too large', {}, new Uint8Array(300_000)],
    ['a malformed shortcode', { shortcode: 'a-b' }, mediaFile('rgba.png')],
    ['a long category', { category: 'x'.repeat(101) }, mediaFile('rgba.png')],
  ])('refuses %s', async (_what, fields, file) => {
    const answer = await as(owner).post(path, form({ shortcode: freshName('wren'), ...fields }, file))
    expect(answer.status).toBe(422)
    expect((await as(owner).get(path)).body).toEqual([])
  })

  it('refuses a used shortcode', async () => {
    const { shortcode } = await create()
    expect((await as(owner).post(path, form({ shortcode }))).status).toBe(422)
  })

  it('hides emojis from pickers while texts keep them, and disables them', async () => {
    const { id, shortcode } = await create({ category: 'Birds' })
    const alice = await given.account()
    const post = async () =>
      (await as(alice).post('/api/v1/statuses', { status: `a :${shortcode}: ${freshName('x')}` })).body
    const hidden = await as(owner).patch(`${path}/${id}`, { visible_in_picker: false })
    expect(hidden.body).toMatchObject({ visible_in_picker: false, category: 'Birds' })
    expect(await pickable()).toEqual([])
    expect(await post()).toMatchObject({ emojis: [{ shortcode }] })
    const disabled = await as(owner).put(`${path}/${id}`, { disabled: true, category: '' })
    expect(disabled.body).toMatchObject({ disabled: true, category: null, visible_in_picker: false })
    expect(await post()).toMatchObject({ emojis: [] })
    await as(owner).patch(`${path}/${id}`, { disabled: false, visible_in_picker: true })
    expect(await pickable()).toEqual([shortcode])
  })

  it('lists emojis page by page and finds them by prefix, in one round trip', async () => {
    const wrens = [await create({ shortcode: 'wren_one' }), await create({ shortcode: 'wren_two' })]
    const owl = await create({ shortcode: 'owl' })
    const first = await as(owner).get(`${path}?limit=2`)
    expect(first.body).toMatchObject([{ id: owl.id }, { shortcode: 'wren_two' }])
    expect(first.costs.trips).toBeLessThanOrEqual(1)
    expect((await as(owner).get(first.links.next ?? '')).body).toMatchObject([{ shortcode: 'wren_one' }])
    const found = await as(owner).get(`${path}?q=wren`)
    expect(found.body).toMatchObject([{ id: wrens[1]?.id }, { id: wrens[0]?.id }])
    expect((await as(owner).get(`${path}?q=%25`)).body).toEqual([])
  })

  it('copies emojis from another server', async () => {
    const domain = `${freshName('aviary')}.test`
    const url = `https://files.${domain}/owl.png`
    fediverse.network.respond(`https://${domain}/api/v1/custom_emojis`, () =>
      Response.json([{ shortcode: 'snowy', url }]),
    )
    fediverse.network.respond(url, () => new Response(new Uint8Array(mediaFile('rgba.png'))))
    const copied = await as(owner).post(`${path}/copy`, { shortcode: 'snowy', domain, category: 'Owls' })
    expect(copied).toMatchObject({ status: 200, body: { shortcode: 'snowy', category: 'Owls' } })
    expect((await as(owner).post(`${path}/copy`, { shortcode: 'barn', domain })).status).toBe(404)
    expect((await as(owner).post(`${path}/copy`, { shortcode: 'x', domain: 'no host' })).status).toBe(422)
  })

  it('deletes an emoji once', async () => {
    const { id } = await create()
    expect((await as(owner).delete(`${path}/${id}`)).status).toBe(200)
    expect((await as(owner).delete(`${path}/${id}`)).status).toBe(404)
    expect((await as(owner).patch(`${path}/${id}`, { disabled: true })).status).toBe(404)
    expect(await pickable()).toEqual([])
  })

  it('logs every change', async () => {
    const { id, shortcode } = await create()
    await as(owner).patch(`${path}/${id}`, { category: 'Birds' })
    await as(owner).delete(`${path}/${id}`)
    const log = await as(owner).get(
      `/api/fieldfare/v1/admin/audit_log?target_type=custom_emoji&target_id=${id}`,
    )
    expect(log.body).toMatchObject([
      { action: 'delete', target_label: shortcode },
      { action: 'update', before: { category: null }, after: { category: 'Birds' } },
      { action: 'create' },
    ])
  })
})
