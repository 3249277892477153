import { eq, like } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { version } from '../../package.json'
import { activityWeeks, counters, instances, rules, settings } from '../../src/db/schema'
import { saveSettings } from '../../src/domain/instance/save-settings'
import { defaultSettings, settingKey } from '../../src/domain/instance/settings'
import { liftLimit, limitDomain } from '../../src/domain/moderation/limit-domain'
import { operator } from '../../src/domain/policy/permissions'
import { assetPath } from '../../src/lib/assets'
import { weekOf } from '../../src/lib/days'
import { sha256Hex } from '../../src/lib/secrets'
import { presentInstance, presentV1Instance } from '../../src/view/present/instance'
import { anonymous, as } from '../support/as'
import { Browser } from '../support/browser'
import { expectCosts } from '../support/expect-costs'
import { given, type TestAccount } from '../support/given'
import { clock, context } from '../support/test-app'

const day = 86_400_000
const origin = 'https://fieldfare.test'

afterEach(async () => {
  await saveSettings(context(), operator, defaultSettings)
  await context().db.delete(rules)
})

describe('GET v2 instance', () => {
  it('shows configured values and no missing features [T-336]', async () => {
    const { config } = context()
    const answer = await anonymous.get('/api/v2/instance')
    expect(answer.body).toMatchObject({
      domain: 'fieldfare.test',
      title: 'Fieldfare',
      source_url: config.sourceUrl,
      version: `4.6.5+fieldfare-${version}`,
      api_versions: { mastodon: 11, fieldfare: 2 },
      languages: ['en'],
      thumbnail: {
        url: `${origin}${assetPath('preview.png')}`,
        blurhash: null,
        description: expect.stringContaining('fieldfare'),
      },
      contact: { email: '', account: null },
      configuration: {
        urls: {
          streaming: 'wss://fieldfare.test',
          about: `${origin}/about`,
          status: null,
          privacy_policy: `${origin}/privacy-policy`,
          terms_of_service: null,
        },
        statuses: {
          max_characters: config.limits.statusCharacters,
          max_media_attachments: 4,
          characters_reserved_per_url: 23,
        },
        media_attachments: {
          image_size_limit: config.limits.imageBytes,
          video_size_limit: config.limits.videoBytes,
          description_limit: 10_000,
          image_matrix_limit: 33_177_600,
          video_matrix_limit: 8_294_400,
        },
        polls: {
          max_options: 4,
          max_characters_per_option: 50,
          min_expiration: 300,
          max_expiration: 2_629_746,
        },
        reactions: { max_reactions: 8 },
        accounts: {
          max_display_name_length: 40,
          max_avatar_description_length: 150,
          max_header_description_length: 150,
          max_pinned_statuses: 5,
          max_profile_fields: 4,
          profile_field_name_limit: 255,
        },
        translation: { enabled: false },
      },
      registrations: { enabled: true, approval_required: false, reason_required: false, message: null },
    })
  })

  it('GET v2 instance shows limited_federation', async () => {
    const { config } = context()
    const listed = { ...config, federation: { ...config.federation, limited: true } }
    const closed = await anonymous.get('/api/v2/instance', { overrides: { config: listed } })
    expect(closed.body).toMatchObject({ configuration: { limited_federation: true } })
    const open = await anonymous.get('/api/v2/instance')
    expect(open.body).toMatchObject({ configuration: { limited_federation: false } })
  })

  it('shows limits changed by the operator, in both forms', () => {
    const { config } = context()
    const limits = { statusCharacters: 5_000, imageBytes: 1_000, videoBytes: 2_000 }
    const facts = { settings: defaultSettings, rules: [], contact: null, convertible: [] }
    const counted = { users: 1, statuses: 2, domains: 3 }
    const changed = {
      configuration: {
        statuses: { max_characters: 5_000 },
        media_attachments: { image_size_limit: 1_000, video_size_limit: 2_000 },
      },
    }
    expect(
      presentInstance({ ...config, limits }, { ...facts, vapidKey: 'key', activeMonth: 1 }),
    ).toMatchObject(changed)
    expect(
      presentV1Instance({ ...config, limits }, { ...facts, counters: counted, invitesEnabled: true }),
    ).toMatchObject(changed)
  })

  it('shows the key for Web Push, always the same [T-337]', async () => {
    const Keyed = z.object({ configuration: z.object({ vapid: z.object({ public_key: z.string() }) }) })
    const key = async () => Keyed.parse((await anonymous.get('/api/v2/instance')).body).configuration.vapid
    const first = await key()
    // The raw point of a P-256 key: 65 bytes.
    expect(first.public_key).toMatch(/^B[\w-]{86}$/)
    expect(await key()).toEqual(first)
  })

  it('GET v2 instance shows the sign-up settings [T-338]', async () => {
    const registrations = async () => (await anonymous.get('/api/v2/instance')).body
    await saveSettings(context(), operator, { registrations: 'approval', minimumAge: 16 })
    expect(await registrations()).toMatchObject({
      registrations: {
        enabled: true,
        approval_required: true,
        reason_required: true,
        min_age: 16,
      },
    })
    await saveSettings(context(), operator, {
      registrations: 'closed',
      registrationsMessage: 'Full <b>up</b>',
    })
    expect(await registrations()).toMatchObject({
      registrations: {
        enabled: false,
        approval_required: false,
        message: '<p>Full &lt;b&gt;up&lt;/b&gt;</p>',
      },
    })
  })

  it('shows the contact account, in any case of letters, and no missing one [T-339]', async () => {
    const keeper = await given.account()
    const contact = async () => (await anonymous.get('/api/v2/instance')).body
    await saveSettings(context(), operator, {
      contactUsername: keeper.username.toUpperCase(),
      contactEmail: 'keeper@mail.test',
    })
    expect(await contact()).toMatchObject({
      contact: { email: 'keeper@mail.test', account: { id: String(keeper.id) } },
    })
    // Accounts can be deleted after they were named.
    const storeContact = (username: string) =>
      context()
        .db.update(settings)
        .set({ value: username })
        .where(eq(settings.key, settingKey('contactUsername')))
    await storeContact('nobody_at_all')
    expect(await contact()).toMatchObject({ contact: { account: null } })
    await storeContact((await given.remoteAccount()).username)
    expect(await contact()).toMatchObject({ contact: { account: null } })
  })

  it('costs at most one round trip, six statements and twenty rows with changed settings', async () => {
    const keeper = await given.account()
    const { db } = context()
    await db.delete(settings).where(like(settings.key, 'instance.%'))
    await db.insert(rules).values([
      { id: 11, position: 1, text: 'Be kind' },
      { id: 12, position: 2, text: 'No spam' },
    ])
    await saveSettings(context(), operator, {
      title: 'Aviary',
      shortDescription: 'For birds',
      thumbnail: { key: 'a.webp' },
      contactUsername: keeper.username,
      contactEmail: 'a@mail.test',
      blockedEmailDomains: ['spam.test'],
      extendedDescription: 'About',
      privacyPolicy: 'Policy',
    })
    await anonymous.get('/api/v2/instance')
    for (const path of ['/api/v2/instance', '/api/v1/instance']) {
      const { costs, headers } = await anonymous.get(path)
      expect(costs.trips).toBeLessThanOrEqual(1)
      expect(costs.statements).toBeLessThanOrEqual(6)
      expect(costs.rowsRead).toBeLessThanOrEqual(20)
      expect(costs.rowsWritten).toBe(0)
      expect(headers.get('Cache-Control')).toBe('public, max-age=300')
    }
  })
})

describe('GET v1 instance', () => {
  it('GET v1 instance has the old shape, websockets for streaming, and Deprecation [T-340]', async () => {
    const { db } = context()
    await db.update(counters).set({ value: 4 })
    const answer = await anonymous.get('/api/v1/instance')
    expect(answer.body).toMatchObject({
      uri: 'fieldfare.test',
      title: 'Fieldfare',
      registrations: true,
      invites_enabled: true,
      urls: { streaming_api: 'wss://fieldfare.test' },
      stats: { user_count: 4, status_count: 4, domain_count: 4 },
    })
    expect(answer.headers.get('Deprecation')).toMatch(/^@\d+$/)
    expect(JSON.stringify(answer.body)).not.toContain('description_limit')
  })
})

describe('GET instance/rules', () => {
  it('lists rules in their order with translations [T-341]', async () => {
    const { db } = context()
    const translations = { de: { text: 'Sei nett', hint: '' } }
    await db.insert(rules).values([
      { id: 22, position: 2, text: 'Second', hint: 'why' },
      { id: 21, position: 1, text: 'First', translations },
    ])
    const answer = await anonymous.get('/api/v1/instance/rules')
    expect(answer.body).toEqual([
      { id: '21', text: 'First', hint: '', translations },
      { id: '22', text: 'Second', hint: 'why', translations: {} },
    ])
    expectCosts(answer.costs, { trips: 1, statements: 1 })
  })
})

describe('GET instance/peers', () => {
  it('GET instance/peers lists known domains [T-342]', async () => {
    const createdAt = clock.now()
    await context()
      .db.insert(instances)
      .values([
        { domain: 'b.test', createdAt },
        { domain: 'a.test', createdAt },
      ])
    const answer = await anonymous.get('/api/v1/instance/peers')
    expect(answer.body).toEqual(['a.test', 'b.test'])
    expectCosts(answer.costs, { trips: 1, statements: 3 })
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(5)
  })

  it('GET instance/peers is 404 when switched off [T-343]', async () => {
    await saveSettings(context(), operator, { peersApi: false })
    const answer = await anonymous.get('/api/v1/instance/peers')
    expect(answer).toMatchObject({ status: 404, body: { error: 'Record not found' } })
  })
})

describe('GET peers/search', () => {
  const search = (q: string) => anonymous.get(`/api/v1/peers/search?q=${encodeURIComponent(q)}`)

  it('finds up to ten known domains by prefix [T-344]', async () => {
    const createdAt = clock.now()
    const domains = Array.from({ length: 12 }, (_, n) => `peer${String(n).padStart(2, '0')}.search.test`)
    await context()
      .db.insert(instances)
      .values([...domains, 'xn--bcher-kva.search.test'].map((domain) => ({ domain, createdAt })))
    const first = await search('PEER')
    expect(first.body).toEqual(domains.slice(0, 10))
    expectCosts(first.costs, { trips: 1, statements: 2 })
    expect((await search('peer1')).body).toEqual(domains.slice(10))
    expect((await search('peer11.search.')).body).toEqual(domains.slice(11))
    expect((await search('bücher.search.test')).body).toEqual(['xn--bcher-kva.search.test'])
    expect((await search('eer')).body).toEqual([])
  })

  it('leaves out servers without federation', async () => {
    await limitDomain(context(), operator, 'peer11.search.test', { severity: 'suspend' })
    await context()
      .db.insert(instances)
      .values({ domain: 'peer11.sub.peer11.search.test', createdAt: clock.now() })
    expect((await search('peer11')).body).toEqual([])
    await liftLimit(context(), operator, 'peer11.search.test')
    expect((await search('peer11')).body).toHaveLength(2)
  })

  it('finds nothing for an unknown prefix [T-345]', async () => {
    for (const q of ['', ' ', '%', '*', 'a b', 'peer0/', '@peer00.search.test', 'x'.repeat(5_000)])
      expect(await search(q), q).toMatchObject({ status: 200, body: [] })
  })

  it('GET peers/search is 404 when switched off [T-346]', async () => {
    await saveSettings(context(), operator, { peersApi: false })
    expect(await search('peer')).toMatchObject({ status: 404, body: { error: 'Record not found' } })
  })
})

describe('GET instance/domain_blocks', () => {
  const limits = {
    bad: { domain: 'very-bad.example', severity: 'suspend', obfuscate: true, publicComment: 'Spam' },
    loud: { domain: 'loud.example', severity: 'silence', obfuscate: false, publicComment: '' },
    media: { domain: 'media.example', severity: 'noop', obfuscate: false, publicComment: 'Pictures' },
  } as const
  const read = (caller: TestAccount | null = null) => as(caller).get('/api/v1/instance/domain_blocks')

  beforeAll(async () => {
    for (const { domain, ...limit } of Object.values(limits))
      await limitDomain(context(), operator, domain, {
        ...limit,
        rejectMedia: true,
        privateComment: 'Secret',
      })
  })
  afterAll(async () => {
    for (const { domain } of Object.values(limits)) await liftLimit(context(), operator, domain)
  })

  it('GET instance/domain_blocks is refused unless the operator publishes it [T-347]', async () => {
    const alice = await given.account()
    for (const caller of [null, alice])
      expect(await read(caller)).toMatchObject({ status: 404, body: { error: 'Record not found' } })
    await saveSettings(context(), operator, { domainBlocksShownTo: 'users' })
    expect(await read()).toMatchObject({ status: 404 })
    expect(await read(alice)).toMatchObject({ status: 200 })
  })

  it('lists visible limits, the strictest first, with asterisks where obfuscated [T-348]', async () => {
    await saveSettings(context(), operator, { domainBlocksShownTo: 'all' })
    expect((await read()).body).toEqual([
      {
        domain: 'very****.***mple',
        digest: await sha256Hex('very-bad.example'),
        severity: 'suspend',
        comment: null,
      },
      {
        domain: 'loud.example',
        digest: await sha256Hex('loud.example'),
        severity: 'silence',
        comment: null,
      },
    ])
  })

  it('shows public comments to the permitted audience, and never the private ones [T-349]', async () => {
    const alice = await given.account()
    await saveSettings(context(), operator, {
      domainBlocksShownTo: 'all',
      domainBlockReasonsShownTo: 'users',
    })
    expect((await read()).body).toMatchObject([{ comment: null }, { comment: null }])
    const told = await read(alice)
    expect(told.body).toMatchObject([{ comment: 'Spam' }, { comment: '' }])
    expect(JSON.stringify(told.body)).not.toContain('Secret')
  })
})

describe('GET instance/terms_of_service', () => {
  const path = '/api/v1/instance/terms_of_service'
  const dayOf = (at: Date) => at.toISOString().slice(0, 10)

  it('GET instance/terms_of_service is 404 without terms [T-350]', async () => {
    expect(await anonymous.get(path)).toMatchObject({ status: 404, body: { error: 'Record not found' } })
  })

  it('returns the current text, and the last version of a day [T-351]', async () => {
    await saveSettings(context(), operator, { termsOfService: 'Be *nice*.' })
    await saveSettings(context(), operator, { termsOfService: 'Be **kind**.' })
    const terms = {
      effective_date: dayOf(clock.now()),
      effective: true,
      succeeded_by: null,
      content: '<p>Be <strong>kind</strong>.</p>',
    }
    expect((await anonymous.get(path)).body).toEqual(terms)
    expect((await anonymous.get(`${path}/${dayOf(clock.now())}`)).body).toEqual(terms)
  })

  it('keeps previous versions by date, which name their successor [T-352]', async () => {
    const [then, now] = [dayOf(clock.now()), dayOf(new Date(clock.now().getTime() + 3 * day))]
    await saveSettings(context(), operator, { termsOfService: 'Old.' })
    clock.advance(3 * day)
    await saveSettings(context(), operator, { termsOfService: 'New.' })
    expect((await anonymous.get(path)).body).toMatchObject({ effective_date: now, content: '<p>New.</p>' })
    const former = await anonymous.get(`${path}/${then}`)
    expect(former.body).toMatchObject({ content: '<p>Old.</p>', effective: true, succeeded_by: now })
    expect((await new Browser().get(`/terms-of-service/${then}`)).html).toContain('<p>Old.</p>')
    await saveSettings(context(), operator, { termsOfService: null })
    expect(await anonymous.get(path)).toMatchObject({ status: 404 })
  })

  it('GET instance/terms_of_service has no version of other days [T-353]', async () => {
    for (const other of ['1999-01-01', 'today', '%', '0', dayOf(new Date(0)), 'x'.repeat(3_000)])
      expect(await anonymous.get(`${path}/${other}`)).toMatchObject({ status: 404 })
    expect(await new Browser().get('/terms-of-service/1999-01-01')).toMatchObject({ status: 404 })
  })
})

it('GET donation_campaigns → 204: there are none [T-1008]', async () => {
  const alice = await given.account({ scopes: 'follow' })
  expect(await as(alice).get('/api/v1/donation_campaigns')).toMatchObject({ status: 204, body: null })
  expect(await anonymous.get('/api/v1/donation_campaigns')).toMatchObject({ status: 422 })
})

describe('GET instance/activity', () => {
  it('returns twelve weeks, newest first, all values strings [T-354]', async () => {
    const { db } = context()
    const current = weekOf(clock.now())
    await db.delete(activityWeeks)
    await db.insert(activityWeeks).values([
      { week: current, statuses: 3, logins: 2, registrations: 1 },
      { week: current - 11, statuses: 7 },
      { week: current - 12, statuses: 99 },
    ])
    const answer = await anonymous.get('/api/v1/instance/activity')
    const Weeks = z.array(z.object({ week: z.string(), statuses: z.string() }))
    const weeks = Weeks.parse(answer.body)
    expect(weeks.map(({ statuses }) => statuses)).toEqual(['3', ...Array(10).fill('0'), '7'])
    expect(answer.body).toMatchObject([
      { logins: '2', registrations: '1' },
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
    ])
    const begins = weeks.map(({ week }) => new Date(Number(week) * 1_000))
    expect(begins.every((at) => at.getUTCDay() === 1 && at.getTime() % day === 0)).toBe(true)
    expect(Number(weeks[0]?.week) - Number(weeks[11]?.week)).toBe((11 * 7 * day) / 1_000)
    expectCosts(answer.costs, { trips: 1, statements: 2 })
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(20)
    await db.delete(activityWeeks)
  })

  it('GET instance/activity is 404 when switched off [T-355]', async () => {
    await saveSettings(context(), operator, { activityApi: false })
    const answer = await anonymous.get('/api/v1/instance/activity')
    expect(answer).toMatchObject({ status: 404, body: { error: 'Record not found' } })
  })
})

describe('instance texts', () => {
  it('extended_description is HTML with its date, and empty when none is saved [T-356]', async () => {
    const read = async () => (await anonymous.get('/api/v1/instance/extended_description')).body
    await context()
      .db.delete(settings)
      .where(eq(settings.key, settingKey('extendedDescription')))
    expect(await read()).toEqual({ updated_at: null, content: '' })
    await saveSettings(context(), operator, { extendedDescription: '# Birds\n\nAbout *us* <script>' })
    expect(await read()).toEqual({
      updated_at: clock.now().toISOString(),
      content: '<h2>Birds</h2>\n<p>About <em>us</em> &lt;script&gt;</p>',
    })
  })

  it('privacy_policy has the default text unless the operator wrote one [T-357]', async () => {
    const read = async () => (await anonymous.get('/api/v1/instance/privacy_policy')).body
    expect(await read()).toMatchObject({ content: expect.stringContaining('<h2>Cookies</h2>') })
    await saveSettings(context(), operator, { privacyPolicy: 'We keep nothing.' })
    expect(await read()).toEqual({
      updated_at: clock.now().toISOString(),
      content: '<p>We keep nothing.</p>',
    })
  })

  it('languages lists all supported codes with names, translation_languages none [T-358]', async () => {
    const listed = (await anonymous.get('/api/v1/instance/languages')).body
    expect(listed).toContainEqual({ code: 'de', name: 'German' })
    expect(z.array(z.unknown()).parse(listed).length).toBeGreaterThan(150)
    const translations = await anonymous.get('/api/v1/instance/translation_languages')
    expect(translations).toMatchObject({ status: 200, body: {}, costs: { trips: 0 } })
  })

  it('instance texts are open to everybody, also with a token of any scope or an unknown one', async () => {
    const alice = await given.account({ scopes: 'follow' })
    for (const path of ['/api/v2/instance', '/api/v1/instance/rules', '/api/v1/instance/languages']) {
      expect((await as(alice).get(path)).status).toBe(200)
      expect((await as('unknown').get(path)).status).toBe(200)
    }
  })
})
