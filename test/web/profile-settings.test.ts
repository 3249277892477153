import { describe, expect, it } from 'vitest'
import { Profile } from '../../src/contract/entities/own-account'
import { as } from '../support/as'
import { textOf } from '../support/browser'
import type { TestAccount } from '../support/given'
import { mediaFile } from '../support/media'
import { signedIn } from '../support/members'

const path = '/settings/profile'

const filled = {
  display_name: 'Ada Thrush',
  note: 'I watch #birds.\nAnd more.',
  avatar_description: 'Ada in the reeds',
  header_description: '',
  field_name_1: 'Site',
  field_value_1: 'https://ada.example',
  field_name_2: 'Pronouns',
  field_value_2: 'she/her',
  attribution_domains: 'https://ada.example/blog\n*.news.example',
}

const picture = (name: string) => new File([mediaFile(name)], name, { type: 'application/octet-stream' })
const own = async (member: TestAccount) => Profile.parse((await as(member).get('/api/v1/profile')).body)

describe('the page of the profile', () => {
  it('saves texts, fields and choices, for apps to read', async () => {
    const { member, browser } = await signedIn()
    const done = await browser.upload(path, { ...filled, locked: 'true', discoverable: 'true', bot: 'true' })
    expect(done.status).toBe(303)
    const { html: shown } = await browser.get(done.location ?? '')
    expect(textOf(shown)).toContain(
      'Your profile is saved. Changed: Display name, Biography, Description of the profile picture, Extra fields, ' +
        'Approve followers myself, This account is automated, Suggest my profile and posts to others, ' +
        'Websites allowed to credit you ',
    )
    expect(await own(member)).toMatchObject({
      display_name: 'Ada Thrush',
      note: 'I watch #birds.\nAnd more.',
      fields: [
        { name: 'Site', value: 'https://ada.example' },
        { name: 'Pronouns', value: 'she/her' },
      ],
      attribution_domains: ['ada.example', 'news.example'],
      avatar_description: 'Ada in the reeds',
      locked: true,
      bot: true,
      discoverable: true,
      indexable: false,
      hide_collections: false,
    })
    const { html } = await browser.get(path)
    for (const text of ['Ada Thrush', 'https://ada.example', 'she/her', 'Ada in the reeds'])
      expect(html).toContain(text)
    expect(html).toContain('ada.example\nnews.example')
  })

  it('removes unticked choices and emptied rows', async () => {
    const { member, browser } = await signedIn()
    await browser.upload(path, { ...filled, locked: 'true', indexable: 'true', hide_collections: 'true' })
    await browser.upload(path, { display_name: 'Ada' })
    expect(await own(member)).toMatchObject({
      note: '',
      fields: [],
      locked: false,
      indexable: false,
      hide_collections: false,
      attribution_domains: [],
    })
  })

  it('stores pictures, keeps them when none is chosen, and removes them when asked', async () => {
    const { member, browser } = await signedIn()
    const done = await browser.upload(path, {
      avatar: picture('rgb.png'),
      header: picture('rgb.png'),
    })
    expect(done.status).toBe(303)
    const { avatar, header } = await own(member)
    expect([avatar, header]).toEqual([expect.stringMatching(/avatars/), expect.stringMatching(/headers/)])
    expect((await browser.get(path)).html).toContain(`src="${avatar}"`)

    await browser.upload(path, { ...filled, avatar: new File([], '') })
    expect(await own(member)).toMatchObject({ avatar, header, display_name: 'Ada Thrush' })

    await browser.upload(path, { ...filled, remove_avatar: 'true' })
    expect(await own(member)).toMatchObject({ avatar: null, avatar_description: '', header })
  })

  it('shows the error of a file beside its field, keeps typed values, and changes nothing', async () => {
    const { member, browser } = await signedIn()
    const page = await browser.upload(path, {
      ...filled,
      locked: 'true',
      avatar: new File(['no picture'], 'a.png'),
    })
    expect(page.status).toBe(422)
    expect(page.html).toMatch(/id="field-avatar-error"[^>]*>.*Profile picture is not valid/)
    expect(page.html).toContain('aria-invalid="true"')
    for (const text of ['Ada Thrush', 'she/her', 'I watch #birds.']) expect(page.html).toContain(text)
    expect(page.html).toMatch(/name="locked"[^>]* checked/)
    expect(await own(member)).toMatchObject({ display_name: '', locked: false })
  })

  it.each([
    ['a name that is too long', { display_name: 'n'.repeat(41) }, 'display_name'],
    ['a field without a label', { field_value_3: 'alone' }, 'fields'],
    ['a website that is none', { attribution_domains: 'not a domain' }, 'attribution_domains'],
  ])('refuses %s beside its field', async (_, wrong, field) => {
    const { browser } = await signedIn()
    const page = await browser.upload(path, { ...filled, ...wrong })
    expect(page.status).toBe(422)
    expect(page.html).toContain(`href="#field-${field}"`)
    expect(page.html).toContain(`id="field-${field}"`)
    expect(page.html).toContain('she/her')
  })

  it('refuses a large body from an account that is not confirmed', async () => {
    const { browser } = await signedIn({ user: { confirmedAt: null } })
    const large = { note: 'n', avatar: new File([new Uint8Array(1_100_000)], 'a.png') }
    // Read as an upload, it would be refused as a form without a token.
    const page = await browser.upload(path, large)
    expect(page.status).toBe(403)
    expect(textOf(page.html)).toContain('is not confirmed yet')
  })
})

it('shows the error of a file above the size limit on its page', async () => {
  const { browser } = await signedIn()
  const page = await browser.upload('/settings/imports', {
    file: new File([new Uint8Array(1_100_000)], 'a.csv'),
  })
  expect(page.status).toBe(413)
  expect(textOf(page.html)).toContain('The file is too large.')
  expect(page.html).toContain('name="file"')
})
