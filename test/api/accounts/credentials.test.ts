import { describe, expect, it } from 'vitest'
import { customEmojis } from '../../../src/db/schema'
import { anonymous, as } from '../../support/as'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { clock, context, settleLateWork } from '../../support/test-app'

const verify = (who: TestAccount) => as(who).get('/api/v1/accounts/verify_credentials')
type Body = FormData | URLSearchParams | Readonly<Record<string, unknown>>
const update = (who: TestAccount, body: Body) => as(who).patch('/api/v1/accounts/update_credentials', body)

describe('GET /api/v1/accounts/verify_credentials', () => {
  it('→ CredentialAccount: Account plus source and role, in one round trip [T-174]', async () => {
    const alice = await given.account({ note: 'hi', noteHtml: '<p>hi</p>', hideCollections: true })
    await relation.followRequest(await given.account(), alice)
    const answer = await verify(alice)
    expect(answer.body).toMatchObject({
      id: String(alice.id),
      note: '<p>hi</p>',
      source: {
        note: 'hi',
        fields: [],
        privacy: 'public',
        sensitive: false,
        language: null,
        follow_requests_count: 1,
        hide_collections: true,
        discoverable: null,
        indexable: false,
        attribution_domains: [],
        quote_policy: 'public',
      },
      role: { id: '-99', name: '', permissions: '65536', highlighted: false, collection_limit: 10 },
    })
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })

  it('source.note and source.fields → plain text; note and fields[].value → HTML [T-175]', async () => {
    const alice = await given.account()
    await update(alice, {
      note: 'see <b>',
      fields_attributes: [{ name: 'site', value: 'https://a.test/?x&y' }],
    })
    const { body } = await verify(alice)
    expect(body).toMatchObject({
      note: '<p>see &lt;b&gt;</p>',
      source: {
        note: 'see <b>',
        fields: [{ name: 'site', value: 'https://a.test/?x&y', verified_at: null }],
      },
    })
    expect(body).toHaveProperty('fields.0.value', expect.stringContaining('href="https://a.test/?x&amp;y"'))
  })

  it('shows the permissions of the role', async () => {
    const moderator = await given.account({ user: { roleId: 1 } })
    const owner = await given.account({ user: { roleId: 3 } })
    expect((await verify(moderator)).body).toMatchObject({
      role: { name: 'Moderator', permissions: String(1308 | 65_536), highlighted: true },
      roles: [{ name: 'Moderator' }],
    })
    expect((await verify(owner)).body).toMatchObject({ role: { name: 'Owner', permissions: '2097151' } })
  })

  it('accepts the scope profile alone, and no other scope than read:accounts [T-176]', async () => {
    const profile = await given.account({ scopes: 'profile' })
    expect((await verify(profile)).status).toBe(200)
    const reader = await given.account({ scopes: 'read:statuses write' })
    expect((await verify(reader)).status).toBe(403)
  })
})

describe('PATCH /api/v1/accounts/update_credentials', () => {
  it('only sent keys change; returns CredentialAccount [T-177]', async () => {
    const alice = await given.account()
    const first = await update(alice, {
      display_name: 'Alice 🪶',
      note: 'Birds',
      locked: true,
      bot: 'true',
      discoverable: '1',
      indexable: 'on',
      hide_collections: 1,
      show_media: false,
      show_media_replies: 'false',
      show_featured: 'off',
      avatar_description: 'me',
      header_description: 'sea',
      attribution_domains: ['Example.COM', 'https://blog.test/x', '*.münchen.test'],
    })
    const all = {
      display_name: 'Alice 🪶',
      note: '<p>Birds</p>',
      locked: true,
      bot: true,
      discoverable: true,
      indexable: true,
      noindex: false,
      hide_collections: true,
      show_media: false,
      show_media_replies: false,
      show_featured: false,
      avatar_description: 'me',
      header_description: 'sea',
    }
    expect(first.body).toMatchObject({
      ...all,
      source: { attribution_domains: ['example.com', 'blog.test', 'xn--mnchen-3ya.test'] },
    })
    expect(first.costs.trips).toBeLessThanOrEqual(4)
    const second = await update(alice, { bot: false })
    expect(second.body).toMatchObject({ ...all, bot: false, source: { note: 'Birds', privacy: 'private' } })
    const third = await update(alice, { display_name: '', note: null, attribution_domains: [''] })
    expect(third.body).toMatchObject({ display_name: '', note: '', source: { attribution_domains: [] } })
    expect(await update(alice, {})).toMatchObject({ status: 200, body: { locked: true } })
  })

  it('accepts a form and a multipart body alike', async () => {
    const alice = await given.account()
    const form = new URLSearchParams({ display_name: 'Form', 'source[sensitive]': '1', locked: 'on' })
    expect((await update(alice, form)).body).toMatchObject({
      display_name: 'Form',
      locked: true,
      source: { sensitive: true },
    })
    const multipart = new FormData()
    multipart.set('note', 'Multi\r\npart')
    multipart.set('avatar', '')
    expect((await update(alice, multipart)).body).toMatchObject({ note: '<p>Multi<br />part</p>' })
  })

  it('display_name or note too long → 422, and nothing changes [T-178]', async () => {
    const alice = await given.account({ displayName: 'Alice' })
    const tooLong = { display_name: 'x'.repeat(41), locked: true }
    expect(await update(alice, tooLong)).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Display name is too long (maximum is 40 characters)' },
    })
    for (const note of ['x'.repeat(501), 'x'.repeat(900_000), '🪶'.repeat(501)])
      expect((await update(alice, { note })).status).toBe(422)
    expect((await verify(alice)).body).toMatchObject({ display_name: 'Alice', locked: false, note: '' })
    expect((await update(alice, { display_name: '🪶'.repeat(40) })).status).toBe(200)
    const address = `https://a.test/${'x'.repeat(600)}`
    expect((await update(alice, { note: `${'x'.repeat(476)} ${address}` })).status).toBe(200)
  })

  it.each(['/api/v1/accounts/update_credentials', '/api/v1/profile'])(
    'PATCH %s names every invalid field with the reason',
    async (path) => {
      const alice = await given.account()
      const answer = await as(alice).patch(path, {
        note: 'x'.repeat(501),
        display_name: 'x'.repeat(41),
        avatar_description: 'x'.repeat(151),
        fields_attributes: [{ name: '', value: 'x' }],
        attribution_domains: ['a.test', 'no domain'],
      })
      const tooLong = (limit: number) => [
        { error: 'ERR_TOO_LONG', description: `is too long (maximum is ${limit} characters)` },
      ]
      expect(answer).toMatchObject({
        status: 422,
        body: {
          error: expect.stringMatching(/^Validation failed: Display name is too long .*, Note is too long /),
          details: {
            note: tooLong(500),
            display_name: tooLong(40),
            avatar_description: tooLong(150),
            fields: [
              {
                error: 'ERR_FIELDS_WITH_VALUES_MISSING_LABELS',
                description: 'contains values with missing labels',
              },
            ],
            attribution_domains: [
              {
                error: 'ERR_INVALID_DOMAIN_ON_LINE',
                description: 'no domain is not a valid domain name',
              },
            ],
          },
        },
      })
      const picture = await as(alice).patch(path, { note: 'fine', avatar: 'data:image/png;base64,AAAA' })
      expect(picture).toMatchObject({
        status: 422,
        body: { details: { avatar: [{ error: 'ERR_INVALID', description: 'content type is invalid' }] } },
      })
      expect((await verify(alice)).body).toMatchObject({ note: '' })
    },
  )

  it('source[privacy], source[sensitive], source[language], source[quote_policy] → new defaults, seen in preferences [T-179]', async () => {
    const alice = await given.account()
    const source = { privacy: 'unlisted', sensitive: true, language: 'pt-BR', quote_policy: 'followers' }
    expect((await update(alice, { source })).body).toMatchObject({ source: { ...source, language: 'pt' } })
    expect((await as(alice).get('/api/v1/preferences')).body).toMatchObject({
      'posting:default:visibility': 'unlisted',
      'posting:default:sensitive': true,
      'posting:default:language': 'pt',
      'posting:default:quote_policy': 'followers',
    })
    const cleared = await update(alice, { source: { language: '' } })
    expect(cleared.body).toMatchObject({ source: { privacy: 'unlisted', language: null } })
    for (const bad of [{ privacy: 'secret' }, { privacy: 'direct' }, { quote_policy: 'x' }, { language: {} }])
      expect((await update(alice, { source: bad })).status).toBe(422)
    expect((await update(alice, { source: { language: 'xx-nonsense' } })).body).toMatchObject({
      source: { language: null },
    })
  })

  it('source as an empty list → 200, nothing changes [T-180]', async () => {
    const alice = await given.account({ user: { settings: { defaultVisibility: 'private' } } })
    for (const source of [[], '', null])
      expect(await update(alice, { source })).toMatchObject({
        status: 200,
        body: { source: { privacy: 'private' } },
      })
  })

  it('fields_attributes keyed by index or as an array → up to 4 fields kept, order kept [T-181]', async () => {
    const alice = await given.account()
    const row = (name: string) => ({ name, value: name.toUpperCase() })
    const list = await update(alice, { fields_attributes: ['a', 'b', 'c', 'd'].map(row) })
    expect(list.body).toMatchObject({ fields: ['A', 'B', 'C', 'D'].map((value) => ({ value })) })
    const keyed = await update(alice, { fields_attributes: { '10': row('z'), '2': row('y') } })
    expect(keyed.body).toMatchObject({ fields: [{ name: 'y' }, { name: 'z' }] })
    const form = new URLSearchParams([
      ['fields_attributes[0][name]', 'one'],
      ['fields_attributes[0][value]', '1'],
      ['fields_attributes[1][name]', ''],
      ['fields_attributes[1][value]', ''],
      ['fields_attributes[2][name]', 'two'],
      ['fields_attributes[2][value]', '2'],
    ])
    expect((await update(alice, form)).body).toMatchObject({ fields: [{ name: 'one' }, { name: 'two' }] })
    expect((await update(alice, { fields_attributes: '' })).body).toMatchObject({ fields: [{}, {}] })
    expect((await update(alice, { fields_attributes: [] })).body).toMatchObject({ fields: [] })
  })

  it('ignores text and numbers in the place of the fields or of a field', async () => {
    const alice = await given.account()
    const row = { name: 'site', value: 'https://a.test' }
    const fields = [{ name: 'site' }]
    await update(alice, { fields_attributes: [row] })
    for (const fields_attributes of [7, 'text', true, null, ['text'], { 0: 7 }]) {
      const answer = await update(alice, { fields_attributes, display_name: 'Alice' })
      expect(answer, JSON.stringify(fields_attributes)).toMatchObject({ status: 200, body: { fields } })
    }
    const form = new URLSearchParams({ fields_attributes: 'text' })
    expect(await update(alice, form)).toMatchObject({ status: 200, body: { fields } })
    const mixed = await update(alice, { fields_attributes: ['text', { ...row, name: 'home' }] })
    expect(mixed.body).toMatchObject({ fields: [{ name: 'home' }] })
  })

  it('refuses five fields, fields without a name and long ones', async () => {
    const alice = await given.account()
    const bad = [
      Array.from({ length: 5 }, (_, index) => ({ name: String(index), value: 'x' })),
      [{ name: ' ', value: 'x' }],
      [{ name: 'x'.repeat(256), value: 'x' }],
      [{ name: 'x', value: 'x'.repeat(256) }],
      [{ name: ['x'], value: 'x' }],
    ]
    for (const fields_attributes of bad) expect((await update(alice, { fields_attributes })).status).toBe(422)
    expect((await verify(alice)).body).toMatchObject({ fields: [] })
  })

  it('refuses invalid domains, and more than a hundred', async () => {
    const alice = await given.account()
    const many = Array.from({ length: 101 }, (_, index) => `a${index}.test`)
    for (const attribution_domains of [['not a domain'], ['-x.test'], [{}], many])
      expect((await update(alice, { attribution_domains })).status).toBe(422)
    const hundred = await update(alice, { attribution_domains: many.slice(1) })
    expect(hundred.status).toBe(200)
  })

  it('links known accounts, hashtags and addresses of the bio, and nothing else', async () => {
    const bob = await given.account()
    const far = await given.remoteAccount()
    const alice = await given.account()
    const note = `@${bob.username} @${bob.username}@fieldfare.test @${far.username}@elsewhere.test @nobody1 #Birds`
    const { body } = await update(alice, { note })
    expect(body).toHaveProperty(
      'note',
      expect.stringContaining(`href="https://fieldfare.test/@${bob.username}"`),
    )
    expect(body).toHaveProperty(
      'note',
      expect.stringContaining(`href="https://elsewhere.test/@${far.username}"`),
    )
    expect(body).toHaveProperty('note', expect.stringContaining('href="https://fieldfare.test/tags/birds"'))
    expect(body).toHaveProperty('note', expect.stringContaining(' @nobody1 '))
  })

  it('keeps the emojis in its texts', async () => {
    const { db, ids } = context()
    const [heron, wren] = [freshName('heron'), freshName('wren')]
    for (const shortcode of [heron, wren])
      await db.insert(customEmojis).values({
        id: ids.next(),
        shortcode,
        image: { key: `${shortcode}.png` },
        createdAt: clock.now(),
      })
    const alice = await given.account()
    const first = await update(alice, { display_name: `A :${heron}:`, note: `B :${wren}: :unknown:` })
    expect(first.body).toMatchObject({ emojis: [{ shortcode: heron }, { shortcode: wren }] })
    const second = await update(alice, { note: 'none' })
    expect(second.body).toMatchObject({ emojis: [{ shortcode: heron }] })
  })

  it('keeps the verification of a field whose value is unchanged', async () => {
    const field = { name: 'site', value: 'https://a.test', html: '', verifiedAt: clock.now().getTime() }
    const alice = await given.account({ fields: [field] })
    const { body } = await update(alice, {
      fields_attributes: [
        { name: 'renamed', value: 'https://a.test' },
        { name: 'new', value: 'https://b.test' },
      ],
    })
    expect(body).toMatchObject({
      fields: [{ verified_at: clock.now().toISOString() }, { verified_at: null }],
    })
  })

  it('accepts all pending followers when it stops approving followers', async () => {
    const [alice, bob, carol] = [
      await given.account({ locked: true }),
      await given.account(),
      await given.account(),
    ]
    await as(bob).post(`/api/v1/accounts/${alice.id}/follow`, { reblogs: false })
    await as(carol).post(`/api/v1/accounts/${alice.id}/follow`)
    await update(alice, { locked: false })
    await settleLateWork()
    expect((await verify(alice)).body).toMatchObject({
      followers_count: 2,
      source: { follow_requests_count: 0 },
    })
    const { body } = await as(bob).get(`/api/v1/accounts/relationships?id=${alice.id}`)
    expect(body).toMatchObject([{ following: true, requested: false, showing_reblogs: false }])
    expect((await verify(bob)).body).toMatchObject({ following_count: 1 })
  })

  it('PATCH /api/v1/accounts/update_credentials accepts unusual text', async () => {
    const alice = await given.account()
    const odd = ['\u0000', '\ud800', '\u202eevil', "'; drop table accounts; --", '<script>alert(1)</script>']
    for (const text of odd) {
      const answer = await update(alice, {
        display_name: text,
        note: text,
        avatar_description: text,
        fields_attributes: [{ name: text, value: text }],
      })
      expect([200, 422]).toContain(answer.status)
    }
    const { body } = await anonymous.get(`/api/v1/accounts/${alice.id}`)
    expect(body).toMatchObject({ note: '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>' })
    for (const display_name of [{ a: 1 }, ['x'], true])
      expect((await update(alice, { display_name })).status).toBe(422)
  })

  it('requires a user with write:accounts', async () => {
    const reader = await given.account({ scopes: 'read profile write:statuses' })
    expect((await update(reader, { display_name: 'x' })).status).toBe(403)
    expect((await anonymous.patch('/api/v1/accounts/update_credentials', {})).status).toBe(401)
  })
})
