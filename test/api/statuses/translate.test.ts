import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Translation } from '../../../src/contract/entities/status-details'
import { translations } from '../../../src/db/schema'
import { pruneTranslations } from '../../../src/domain/translations/translate'
import type { Overrides } from '../../../src/wire'
import { anonymous, as, type TestResponse } from '../../support/as'
import { fakeLibreTranslate, operatorKey, translationPorts } from '../../support/fake-translation'
import { fediverse } from '../../support/fediverse'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedUpload } from '../../support/given-upload'
import { clock, context } from '../../support/test-app'

const words = { Zaunkönig: 'wren', singt: 'sings', Vogel: 'bird', Eule: 'owl' }
const parsed = (answer: TestResponse) => Translation.parse(answer.body)

function translate(who: TestAccount | string, id: string, overrides: Overrides, lang = 'en') {
  return as(who).post(`/api/v1/statuses/${id}/translate`, { lang }, { overrides })
}

const german = (by: TestAccount, more: object = {}) =>
  given.status({ by, text: 'Zaunkönig singt', language: 'de', ...more })

describe('POST statuses/:id/translate', () => {
  it('translates text, warning and descriptions [T-581]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const service = fakeLibreTranslate(words)
    const media = [
      await storedUpload(alice, { description: 'Eule & Vogel <3' }),
      await storedUpload(alice, { description: null }),
    ]
    const { id } = await german(alice, { spoilerText: 'Vogel', mediaIds: media.map(Number) })
    const answer = await translate(bob, id, service.overrides)
    expect(parsed(answer)).toEqual({
      content: '<p>wren sings</p>',
      spoiler_text: 'bird',
      language: 'en',
      provider: 'LibreTranslate',
      poll: null,
      detected_source_language: 'de',
      media_attachments: [{ id: media[0], description: 'owl & bird <3' }],
    })
    expect(answer.costs.trips).toBeLessThanOrEqual(4)
    expect(service.asked()).toEqual([
      {
        source: 'de',
        target: 'en',
        format: 'html',
        api_key: operatorKey,
        q: ['<p>Zaunkönig singt</p>', 'Vogel', 'Eule &amp; Vogel &lt;3'],
      },
    ])
  })

  it('returns no control character of a service, at once and from the cache', async () => {
    const alice = await given.account()
    const { id } = await german(alice, { spoilerText: 'Vogel' })
    const service = fakeLibreTranslate({ Zaunkönig: 'w\u0000re\u0085n', Vogel: 'bi\u0000\u0007rd\r' })
    for (const _ of ['asked', 'cached'])
      expect(parsed(await translate(alice, id, service.overrides))).toMatchObject({
        content: '<p>wren singt</p>',
        spoiler_text: 'bird',
      })
    expect(service.asked()).toHaveLength(1)
    const stored = await context().db.select().from(translations)
    expect(stored.filter(({ answer }) => /\\u00(?:00|07)|\u0085|\\r/.test(answer))).toEqual([])
  })

  it('translates the options of a poll', async () => {
    const alice = await given.account()
    const poll = { options: ['Eule', 'Vogel'], expiresInSeconds: 600, multiple: false, hideTotals: false }
    const { id } = await german(alice, { poll })
    const { poll: translated } = parsed(await translate(alice, id, fakeLibreTranslate(words).overrides))
    expect(translated?.options).toEqual([{ title: 'owl' }, { title: 'bird' }])
  })

  it('marks names of custom emojis as untranslatable', async () => {
    const alice = await given.account()
    const service = fakeLibreTranslate(words)
    const { id } = await german(alice, { text: 'Zaunkönig :eule: https://x.test/:eule:/y' })
    const { content } = parsed(await translate(alice, id, service.overrides))
    const [{ q }] = z.tuple([z.object({ q: z.array(z.string()) })]).parse(service.asked())
    expect(q[0]).toMatch(
      /^<p>Zaunkönig <span translate="no">:eule:<\/span> <a href="https:\/\/x.test\/:eule:\/y"/,
    )
    expect(content).toMatch(/^<p>wren :eule: <a href="https:\/\/x.test\/:eule:\/y"/)
  })

  it('uses the language of the account where none is given, without its region', async () => {
    const alice = await given.account({ user: { locale: 'fr-CA' } })
    const { id } = await german(alice)
    const service = fakeLibreTranslate(words)
    const answer = await as(alice).post(`/api/v1/statuses/${id}/translate`, {}, service)
    expect(parsed(answer).language).toBe('fr')
  })

  it('requests the same translation once, and again after an edit', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const service = fakeLibreTranslate(words)
    const { id } = await german(alice)
    const first = await translate(alice, id, service.overrides)
    expect((await translate(bob, id, service.overrides)).body).toEqual(first.body)
    expect(service.asked()).toHaveLength(1)
    await as(alice).put(`/api/v1/statuses/${id}`, { status: 'Eule' })
    expect(parsed(await translate(bob, id, service.overrides)).content).toBe('<p>owl</p>')
    expect(service.asked()).toHaveLength(2)
  })

  it('deletes translations after a week', async () => {
    const alice = await given.account()
    const service = fakeLibreTranslate(words)
    const { id } = await german(alice)
    await translate(alice, id, service.overrides)
    clock.advance(7 * 86_400_000)
    await pruneTranslations(context())
    expect(await context().db.select().from(translations)).toEqual([])
    await translate(alice, id, service.overrides)
    expect(service.asked()).toHaveLength(2)
  })

  it('translates the reblogged status of a reblog', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await german(alice)
    const { body } = await as(bob).post(`/api/v1/statuses/${id}/reblog`)
    const reblog = Object(body).id
    expect(parsed(await translate(bob, reblog, fakeLibreTranslate(words).overrides)).content).toBe(
      '<p>wren sings</p>',
    )
  })
})

describe('refused translations', () => {
  const refused = { status: 403, body: { error: 'This action is not allowed' } }
  const missing = { status: 404, body: { error: 'Record not found' } }

  it('refuses without a service, and for hidden statuses [T-582]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await german(alice)
    expect(await translate(bob, id, {})).toMatchObject(missing)
    const hidden = await german(alice, { visibility: 'private' })
    const { overrides, asked } = fakeLibreTranslate(words)
    for (const one of [hidden.id, '1', 'abc'])
      expect(await translate(bob, one, overrides)).toMatchObject(missing)
    await relation.block(alice, bob)
    expect(await translate(bob, id, overrides)).toMatchObject(missing)
    expect(asked()).toEqual([])
  })

  it('refuses non-public statuses, and never sends them anywhere [T-583]', async () => {
    const alice = await given.account()
    const { overrides, asked } = fakeLibreTranslate(words)
    for (const visibility of ['private', 'direct'] as const) {
      const { id } = await german(alice, { visibility })
      expect(await translate(alice, id, overrides)).toMatchObject(refused)
    }
    const { id } = await german(alice, { localOnly: true })
    expect(await translate(alice, id, overrides)).toMatchObject(refused)
    expect(asked()).toEqual([])
  })

  it('refuses the same language, one the service lacks, or none [T-584]', async () => {
    const alice = await given.account()
    const { overrides, asked } = fakeLibreTranslate(words)
    const { id } = await german(alice)
    for (const lang of ['de', 'de-AT', 'tlh', 'x'])
      expect(await translate(alice, id, overrides, lang), lang).toMatchObject(refused)
    const { id: latin } = await given.status({ by: alice, language: 'la' })
    expect(await translate(alice, latin, overrides)).toMatchObject(refused)
    expect(asked()).toEqual([])
  })

  it('refuses callers without an account [T-585]', async () => {
    const { id } = await german(await given.account())
    const { overrides } = fakeLibreTranslate(words)
    expect((await translate(await given.token({ scopes: 'read' }), id, overrides)).status).toBe(422)
    const path = `/api/v1/statuses/${id}/translate`
    expect((await anonymous.post(path, {}, { overrides })).status).toBe(401)
  })
})

describe('a failing translation service', () => {
  const silent = { status: 503, body: { error: 'The translation service does not answer' } }
  const answers: Readonly<Record<string, object>> = {
    fails: { status: 500 },
    'is not there': { broken: 'refused' },
    'sends on': { redirect: 'https://evil.test/' },
    'answers no JSON': { status: 200, body: 'Zaunkönig' },
    'answers another form': { status: 200, body: '{"translatedText":"wren"}' },
    'answers too few': { status: 200, body: '{"translatedText":[]}' },
    'answers too many': { status: 200, body: '{"translatedText":["a","b"]}' },
    'answers far too much': { status: 200, body: JSON.stringify({ translatedText: ['a'.repeat(9_000)] }) },
    'answers without end': { status: 200, body: 'x'.repeat(1_100_000) },
  }

  it.each(Object.entries(answers))(
    'a service that %s makes a 503, and its text is not in the log [T-586]',
    async (_, failure) => {
      const alice = await given.account()
      const service = fakeLibreTranslate(words)
      const { id } = await german(alice)
      fediverse.network.fail(`${service.endpoint}/translate`, failure)
      expect(await translate(alice, id, service.overrides)).toMatchObject(silent)
      expect(service.lines.join('\n')).not.toMatch(new RegExp(`${operatorKey}|Zaunkönig`))
    },
  )

  it('an overloaded or exhausted service is reported as such', async () => {
    const alice = await given.account()
    const service = fakeLibreTranslate(words)
    const { id } = await german(alice)
    const end = fediverse.network.fail(`${service.endpoint}/translate`, { status: 429 })
    expect(await translate(alice, id, service.overrides)).toMatchObject({
      status: 503,
      body: { error: 'There have been too many requests to the translation service recently.' },
    })
    end()
    expect((await translate(alice, id, service.overrides)).status).toBe(200)
  })

  it('a service without languages makes a 503', async () => {
    const alice = await given.account()
    const service = fakeLibreTranslate(words)
    const { id } = await german(alice)
    fediverse.network.fail(`${service.endpoint}/languages`, { status: 500 })
    expect(await translate(alice, id, service.overrides)).toMatchObject(silent)
    const listed = await anonymous.get('/api/v1/instance/translation_languages', service)
    expect(listed.status).toBe(503)
  })

  it('sanitises hostile HTML of a service [T-587]', async () => {
    const alice = await given.account()
    const service = fakeLibreTranslate({
      singt: '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:x">y</a>',
      Vogel: '<b>bird</b><script>x</script>',
    })
    const { id } = await german(alice, { spoilerText: 'Vogel' })
    const { content, spoiler_text } = parsed(await translate(alice, id, service.overrides))
    expect(content).toBe('<p>Zaunkönig y</p>')
    expect(spoiler_text).toBe('bird')
  })
})

describe('DeepL', () => {
  function deepl() {
    const endpoint = `https://${freshName('deepl')}.test`
    const { network } = fediverse
    const listed = (...codes: string[]) =>
      Response.json(codes.map((language) => ({ language, name: language })))
    network.respond(`${endpoint}/v2/languages?type=source`, () => listed('DE', 'EN', 'ZH'))
    network.respond(`${endpoint}/v2/languages?type=target`, () => listed('DE', 'EN-GB', 'EN-US', 'ZH-HANS'))
    network.respond(`${endpoint}/v2/translate`, () =>
      Response.json({ translations: [{ detected_source_language: 'DE', text: '<p>wren sings</p>' }] }),
    )
    return { ...translationPorts({ kind: 'deepl', endpoint, key: operatorKey }), endpoint }
  }

  it('DeepL is requested with the key, for HTML, and detects the language where the post names none', async () => {
    const alice = await given.account({ user: { locale: 'xx' } })
    const service = deepl()
    const { id } = await given.status({ by: alice, text: 'Zaunkönig singt' })
    expect(parsed(await translate(alice, id, service.overrides))).toMatchObject({
      content: '<p>wren sings</p>',
      provider: 'DeepL.com',
      detected_source_language: 'de',
      language: 'en',
    })
    const [asked] = fediverse.network.requests(`${service.endpoint}/v2/translate`)
    expect(asked?.headers.get('authorization')).toBe(`DeepL-Auth-Key ${operatorKey}`)
    expect(JSON.parse(asked?.body ?? '')).toEqual({
      text: ['<p>Zaunkönig singt</p>'],
      target_lang: 'EN',
      tag_handling: 'html',
    })
    expect(service.lines.join('\n')).not.toContain(operatorKey)
  })

  it('DeepL reports its exhausted quota', async () => {
    const alice = await given.account()
    const service = deepl()
    const { id } = await german(alice)
    fediverse.network.fail(`${service.endpoint}/v2/translate`, { status: 456 })
    expect(await translate(alice, id, service.overrides)).toMatchObject({
      status: 503,
      body: { error: 'The server-wide usage quota for the translation service has been exceeded.' },
    })
  })

  it('DeepL lists its languages', async () => {
    const { body } = await anonymous.get('/api/v1/instance/translation_languages', deepl())
    expect(body).toMatchObject({
      de: ['en', 'zh-CN', 'pt', 'zh'],
      und: ['de', 'en', 'zh-CN', 'pt', 'zh'],
    })
  })
})

describe('the instance', () => {
  it.each(['v1', 'v2'])('%s shows the configured translation', async (version) => {
    const enabled = async (options: object) => {
      const { body } = await anonymous.get(`/api/${version}/instance`, options)
      return Object(body).configuration.translation
    }
    if (version === 'v1') return expect(await enabled({})).toBeUndefined()
    expect(await enabled({})).toEqual({ enabled: false })
    expect(await enabled(fakeLibreTranslate())).toEqual({ enabled: true })
  })

  it('lists the pairs of languages, and nothing without a service', async () => {
    const path = '/api/v1/instance/translation_languages'
    expect((await anonymous.get(path)).body).toEqual({})
    expect((await anonymous.get(path, fakeLibreTranslate())).body).toEqual({
      de: ['en', 'fr', 'zh'],
      en: ['de', 'fr', 'zh'],
      fr: ['de', 'en', 'zh'],
      zh: ['de', 'en', 'fr'],
      und: ['en', 'fr', 'zh', 'de'],
    })
  })
})
