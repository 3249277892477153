import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { customEmojis } from '../../../src/db/schema'
import { emojiArchiveLimits, importEmojis } from '../../../src/domain/custom-emojis/import'
import { operator } from '../../../src/domain/policy/permissions'
import { anonymous } from '../../support/as'
import { type Browser, textOf } from '../../support/browser'
import { fakeQueue } from '../../support/fake-queue'
import { fediverse } from '../../support/fediverse'
import { freshName } from '../../support/given'
import { givenEmoji } from '../../support/given-emoji'
import { givenRole } from '../../support/given-staff'
import { mediaFile } from '../../support/media'
import { signedIn } from '../../support/members'
import { context } from '../../support/test-app'
import { zipOf } from '../../support/zip'

const path = '/admin/custom_emojis'
let browser: Browser
beforeAll(async () => {
  const roleId = await givenRole({ permissions: ['manageCustomEmojis'] })
  browser = (await signedIn({ user: { roleId } })).browser
})

const picture = (name: string) => new File([new Uint8Array(mediaFile(name))], name)
const zip = (names: Readonly<Record<string, Uint8Array>>) => zipOf(new Map(Object.entries(names)))

/** Emojis that anybody may pick, by shortcode, as the API lists them. */
async function pickable(): Promise<ReadonlyMap<string, string | undefined>> {
  const { body } = await anonymous.get('/api/v1/custom_emojis')
  const listed = z
    .array(z.looseObject({ shortcode: z.string(), category: z.string().optional() }))
    .parse(body)
  return new Map(listed.map(({ shortcode, category }) => [shortcode, category]))
}

describe('the page of custom emojis', () => {
  it('adds an uploaded picture, and accepts colons around the shortcode', async () => {
    const shortcode = freshName('wren')
    const sent = await browser.upload(path, {
      shortcode: `:${shortcode}:`,
      category: 'Birds',
      image: picture('rgba.png'),
    })
    expect([sent.status, sent.location]).toEqual([303, `${path}?done=added`])
    expect((await pickable()).get(shortcode)).toBe('Birds')
    const { html } = await browser.get(`${path}?q=${shortcode}`)
    expect(textOf(html)).toContain(`:${shortcode}:`)
    expect(html).toContain('<option value="Birds">')
  })

  it.each([
    ['no picture', new File([], ''), "Image can't be blank"],
    ['another kind of file', new File(['<svg/>'], 'a.svg'), 'Picture must be PNG, GIF or WebP'],
    ['one that is too large', new File([new Uint8Array(300_000)], 'a.png'), 'Picture must be less than'],
  ])('refuses %s, and keeps typed values', async (_, image, problem) => {
    const shortcode = freshName('wren')
    const { status, html } = await browser.upload(path, { shortcode, image })
    expect(status).toBe(422)
    expect(textOf(html)).toContain(problem)
    expect(html).toContain(`value="${shortcode}"`)
    expect((await pickable()).has(shortcode)).toBe(false)
  })

  it('disables, enables, changes and deletes an emoji', async () => {
    const { id, shortcode } = await givenEmoji()
    const act = async (verb: string) =>
      (await browser.fill(path, {}, { action: `${path}/${id}/${verb}` })).location
    expect(await act('disable')).toBe(`${path}?done=disabled`)
    expect((await pickable()).has(shortcode)).toBe(false)
    expect(await act('enable')).toBe(`${path}?done=enabled`)
    expect((await pickable()).has(shortcode)).toBe(true)
    const action = `${path}/${id}/change`
    await browser.fill(`${path}/${id}`, { category: 'Owls', visible_in_picker: 'true' }, { action })
    expect((await pickable()).get(shortcode)).toBe('Owls')
    await browser.fill(`${path}/${id}`, { category: 'Owls' }, { action })
    expect((await pickable()).has(shortcode)).toBe(false)
    const removed = await browser.confirm(path, {}, { action: `${path}/${id}/delete` })
    expect(removed.location).toBe(`${path}?done=deleted`)
    expect((await browser.get(`${path}/${id}`)).status).toBe(404)
  })

  it('filters by category, and renames one', async () => {
    const [from, to] = [freshName('<category>'), freshName('other')]
    const [one, other] = [await givenEmoji({ category: from }), await givenEmoji()]
    const filtered = (name: string) => browser.get(`${path}?${new URLSearchParams({ in_category: name })}`)
    const { html } = await filtered(from)
    expect(html).toContain(`:${one.shortcode}:`)
    expect(html).not.toContain(`:${other.shortcode}:`)
    expect(html).not.toContain('<category>')
    const sent = await browser.fill(path, { from, to }, { action: `${path}/categories` })
    expect(sent.location).toBe(`${path}?done=renamed`)
    expect((await pickable()).get(one.shortcode)).toBe(to)
    expect((await filtered(to)).html).toContain(`:${one.shortcode}:`)
    const again = await browser.fill(path, { from, to }, { action: `${path}/categories` })
    expect(again.status).toBe(404)
  })

  it('lists the emojis of another server, and copies one', async () => {
    const domain = `${freshName('aviary')}.test`
    const [shortcode, known] = [freshName('snowy'), await givenEmoji()]
    const url = `https://files.${domain}/owl.png`
    fediverse.network.respond(`https://${domain}/api/v1/custom_emojis`, () =>
      Response.json([shortcode, known.shortcode].map((name) => ({ shortcode: name, url }))),
    )
    fediverse.network.respond(url, () => new Response(new Uint8Array(mediaFile('rgba.png'))))
    const { html } = await browser.get(`${path}?where=remote&domain=${domain}`)
    expect(html).not.toContain(url)
    expect(textOf(html)).toContain(`:${known.shortcode}: An emoji with this name already exists.`)
    const sent = await browser.fill(
      `${path}?where=remote&domain=${domain}`,
      { shortcode, domain },
      { action: `${path}/copy` },
    )
    expect(sent.location).toBe(`${path}?done=copied`)
    expect((await pickable()).has(shortcode)).toBe(true)
  })

  it.each([
    ['nowhere at all', 'This is not a domain name.'],
    ['silent-aviary.test', 'The server does not respond.'],
  ])('shows the error of the server "%s"', async (domain, problem) => {
    const { status, html } = await browser.get(`${path}?${new URLSearchParams({ where: 'remote', domain })}`)
    expect(status).toBe(200)
    expect(textOf(html)).toContain(problem)
  })
})

describe('an archive of emojis', () => {
  const png = mediaFile('rgba.png')

  it('lists what an archive leaves out, and adds its pictures in parts', async () => {
    const [word, known] = [freshName('pack'), await givenEmoji()]
    const names = [1, 2, 3, 4, 5, 6].map((number) => `${word}_${number}`)
    const file = zip({
      ...Object.fromEntries(names.map((name) => [`birds/${name}.png`, png])),
      [`birds/${word}-7.PNG`]: png,
      [`${known.shortcode}.png`]: png,
      'read<me>.txt': png,
      'a.png': png,
      'large_one.png': new Uint8Array(300_000),
      [`twice/${word}_1.png`]: png,
      '__MACOSX/birds/._x.png': png,
      'meta.json': png,
      [`${word}_broken.png`]: new Uint8Array(100),
    })
    const queue = fakeQueue()
    const plan = await importEmojis(queue.ctx, operator, { bytes: file, category: word })
    expect(plan.refused).toEqual([
      { name: 'read<me>.txt', reason: 'no-picture' },
      { name: 'a.png', reason: 'shortcode' },
      { name: 'large_one.png', reason: 'too-large' },
      { name: `${word}_1.png`, reason: 'twice' },
      { name: known.shortcode, reason: 'taken' },
    ])
    await queue.work()
    const added = [...(await pickable())].flatMap(([name, category]) => (category === word ? [name] : []))
    expect(added.toSorted()).toEqual([...names, `${word}_7`])
    expect(await context().files.list('archives/emojis/', '', 10)).toEqual([])
  })

  it('unpacks the measured entry where another has its name, and no more than one picture’s size', async () => {
    const [word, twice, liar] = [freshName('bomb'), freshName('twice'), freshName('liar')]
    const zeros = new Uint8Array(50_000_000)
    const queue = fakeQueue()
    const add = (bytes: Uint8Array) => importEmojis(queue.ctx, operator, { bytes, category: word })
    const plan = await add(
      zipOf([
        [`${twice}.png`, png],
        [`${twice}.png`, zeros],
      ]),
    )
    expect(plan.refused).toEqual([{ name: `${twice}.png`, reason: 'too-large' }])
    await add(zipOf([[`${liar}.png`, zeros]], { statedBytes: 1_000 }))
    await queue.work()
    const added = [...(await pickable())].flatMap(([name, category]) => (category === word ? [name] : []))
    expect(added).toEqual([twice])
  })

  it('uploads an archive on the page, which shows the outcome once', async () => {
    const word = freshName('page')
    const file = new File([new Uint8Array(zip({ [`${word}.png`]: png, 'read<me>.txt': png }))], 'birds.zip')
    const { status, html } = await browser.upload(
      path,
      { archive: file, archive_category: 'Birds' },
      { action: `${path}/import` },
    )
    expect(status).toBe(200)
    expect(textOf(html)).toContain('1 picture is being added')
    expect(textOf(html)).toContain('read<me>.txt : not a PNG, GIF or WebP file')
  })

  it.each([
    ['nothing', new Uint8Array(0), "Archive can't be blank"],
    ['no archive', new TextEncoder().encode('hello'), 'Archive is not a zip file'],
    ['an archive without pictures', zip({ 'a.txt': png }), 'Archive has no picture that can be added'],
    ['a large one', new Uint8Array(emojiArchiveLimits.bytes + 1), 'Archive must be less than 8 MB'],
  ])('refuses an archive that is %s', async (_, bytes, problem) => {
    const before = (await context().db.select().from(customEmojis)).length
    const { status, html } = await browser.upload(
      path,
      { archive: new File([new Uint8Array(bytes)], 'a.zip') },
      { action: `${path}/import` },
    )
    expect(status).toBe(422)
    expect(textOf(html)).toContain(problem)
    expect((await context().db.select().from(customEmojis)).length).toBe(before)
  })
})
