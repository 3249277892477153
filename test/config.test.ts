import { describe, expect, it } from 'vitest'
import { parseConfig } from '../src/config'

const base = { ORIGIN: 'https://here.test', INSTANCE_SECRET: 'x'.repeat(43) }

it('federates with every public server and no other, by default', () => {
  expect(parseConfig(base).federation).toMatchObject({ limited: false, testHosts: [] })
})

it('reads additional hosts that development may reach', () => {
  const { federation } = parseConfig({ ...base, FEDERATION_TEST_HOSTS: ' localhost:8788, Peer.Internal ,,' })
  expect(federation.testHosts).toEqual(['localhost:8788', 'peer.internal'])
})

it('reads whether federation is limited to listed servers', () => {
  expect(parseConfig({ ...base, LIMITED_FEDERATION: 'true' }).federation.limited).toBe(true)
  expect(() => parseConfig({ ...base, LIMITED_FEDERATION: 'perhaps' })).toThrow('LIMITED_FEDERATION')
})

describe('secrets', () => {
  const [former, older] = ['y'.repeat(43), '["odd, but a secret nevertheless of 43'.padEnd(43, '.')]
  const textsOf = (more: object) => parseConfig({ ...base, ...more }).secrets.accepted.map(({ text }) => text)

  it('reads the current secret and additional accepted ones', () => {
    const current = base.INSTANCE_SECRET
    expect(textsOf({})).toEqual([current])
    expect(textsOf({ ACCEPTED_INSTANCE_SECRETS: '' })).toEqual([current])
    expect(textsOf({ ACCEPTED_INSTANCE_SECRETS: former })).toEqual([current, former])
    expect(textsOf({ ACCEPTED_INSTANCE_SECRETS: older })).toEqual([current, older])
    const list = JSON.stringify([former, current, older, former])
    expect(textsOf({ ACCEPTED_INSTANCE_SECRETS: list })).toEqual([current, former, older])
  })

  it.each(['short', '["short"]', '[1]', JSON.stringify(Array(5).fill('z'.repeat(43)))])(
    'secrets cannot be %s',
    (ACCEPTED_INSTANCE_SECRETS) => {
      expect(() => parseConfig({ ...base, ACCEPTED_INSTANCE_SECRETS })).toThrow(
        'ACCEPTED_INSTANCE_SECRETS cannot be used: it has to be a secret of 32 characters or more, or a JSON array of',
      )
    },
  )
})

describe('translation', () => {
  const service = (more: object) => parseConfig({ ...base, ...more }).translation

  it('translation is off by default', () => {
    expect(service({})).toBeNull()
  })

  it('translation is by DeepL with its key, whose form decides the address', () => {
    const paid = { kind: 'deepl', endpoint: 'https://api.deepl.com', key: 'k' }
    expect(service({ DEEPL_API_KEY: 'k' })).toEqual(paid)
    expect(service({ DEEPL_API_KEY: 'k:fx' })).toMatchObject({ endpoint: 'https://api-free.deepl.com' })
    const own = { DEEPL_API_KEY: 'k', DEEPL_ENDPOINT: 'https://own.test/' }
    expect(service(own)).toMatchObject({ endpoint: 'https://own.test' })
  })

  it('translation is by LibreTranslate with its address', () => {
    const endpoint = 'https://translate.test'
    const libre = { kind: 'libretranslate', endpoint, key: null }
    expect(service({ LIBRE_TRANSLATE_ENDPOINT: endpoint })).toEqual(libre)
    expect(() => service({ LIBRE_TRANSLATE_ENDPOINT: 'translate' })).toThrow('LIBRE_TRANSLATE_ENDPOINT')
  })

  it('translation is by a model of Workers AI, where that is bound', () => {
    const model = '@cf/meta/m2m100-1.2b'
    expect(service({ TRANSLATION_MODEL: model, AI: {} })).toEqual({ kind: 'workers-ai', model })
    expect(() => service({ TRANSLATION_MODEL: model })).toThrow('needs the binding AI')
  })
})
