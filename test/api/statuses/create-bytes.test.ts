import { beforeAll, describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { ScheduledStatus } from '../../../src/contract/entities/status-details'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { storedStatus } from '../../support/given-stored'
import { clock } from '../../support/test-app'

const tooLong = { status: 422, body: { error: 'Validation failed: Text character limit of 500 exceeded' } }
const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ')

/** The longest emoji there is: a kiss of two people with skin tones, 35 bytes that read as one character. */
const longestEmoji = '\u{1f469}\u{1f3ff}\u200d\u2764\ufe0f\u200d\u{1f48b}\u200d\u{1f468}\u{1f3ff}'

describe('a status of many bytes', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })
  const post = (body: Record<string, unknown>) => as(alice).post('/api/v1/statuses', body)

  it.each([
    ['five hundred characters of Chinese', '漢'.repeat(500)],
    ['five hundred of the longest emoji', longestEmoji.repeat(500)],
    ['five hundred Hindi syllables', 'क्षि'.repeat(500)],
    ['an address of 16,000 characters', `https://play.example/#${'a'.repeat(16_000)}`],
    ['twenty addresses of 800', times(20, (index) => `https://a.example/${index}${'b'.repeat(780)}`)],
    ['a hundred hashtags', times(100, (index) => `#a${index.toString(36)}`)],
    ['a hundred mentions', times(100, (index) => `@a${index.toString(36)}`)],
    ['a hashtag of 140 characters', `#${'a'.repeat(140)}`],
  ])('accepts a status with %s', async (_what, status) => {
    const { body } = await post({ status })
    expect(Status.parse(body).content.length).toBeGreaterThan(status.length)
  })

  it.each([
    ['an address of 20,000 characters', `https://play.example/#${'a'.repeat(20_000)}`],
    ['one letter under twelve thousand marks', `a${'\u0301'.repeat(12_000)}`],
    ['an address that HTML makes ten times as long', `https://a.example/?${'&'.repeat(5_000)}b`],
  ])('refuses a status with %s', async (_what, status) => {
    expect(await post({ status })).toMatchObject(tooLong)
    expect(await post({ status: '', spoiler_text: status })).toMatchObject(tooLong)
  })

  it('refuses an edit to too many bytes too, and an old longer status stays readable', async () => {
    const content = `<p>${'a'.repeat(300_000)}</p>`
    const id = await storedStatus({ accountId: alice.id, content, text: 'a'.repeat(300_000) })
    const shown = await as(alice).get(`/api/v1/statuses/${id}`)
    expect(Status.parse(shown.body).content).toBe(content)
    const edit = { status: `a${'\u0301'.repeat(12_000)}` }
    expect(await as(alice).put(`/api/v1/statuses/${id}`, edit)).toMatchObject(tooLong)
  })

  it.each([
    ['mentions', times(101, (index) => `@a${index.toString(36)}`), 'Text mentions too many accounts'],
    ['hashtags', times(101, (index) => `#a${index.toString(36)}`), 'Text has too many hashtags'],
  ])('refuses a status with a hundred and one %s', async (_what, status, sentence) => {
    const error = `Validation failed: ${sentence} (maximum is 100)`
    expect(await post({ status })).toMatchObject({ status: 422, body: { error } })
  })

  it('refuses more expected mentions than allowed', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1))
    expect((await post({ status: 'a', allowed_mentions: ids(100) })).status).toBe(200)
    expect(await post({ status: 'a', allowed_mentions: ids(101) })).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Allowed mentions are too many (maximum is 100)' },
    })
  })

  it('keeps text that is longer than a hashtag as text', async () => {
    for (const name of ['a'.repeat(141), `a${'\u0e31'.repeat(140)}`, '\ufdfa'.repeat(20)])
      expect(Status.parse((await post({ status: `#${name}` })).body)).toMatchObject({
        tags: [],
        content: `<p>#${name}</p>`,
      })
  })

  it('accepts options of fifty of the longest emoji, and of no more bytes', async () => {
    const asked = (option: string) => post({ status: 'a', poll: { options: [option, 'b'], expires_in: 600 } })
    expect((await asked(longestEmoji.repeat(50))).status).toBe(200)
    expect(await asked(`a${'\u0301'.repeat(1_000)}`)).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Choices cannot be longer than 50 characters each' },
    })
  })

  it('stores a scheduled status without blank parts', async () => {
    const scheduled_at = new Date(clock.now().getTime() + 86_400_000).toISOString()
    const options = [`${' '.repeat(50_000)}a`, 'b', ' '.repeat(50_000)]
    const sent = { status: 'a', scheduled_at, poll: { options, expires_in: 600 } }
    const { params } = ScheduledStatus.parse((await post(sent)).body)
    expect(params.poll?.options).toEqual(['a', 'b'])
    expect(await post({ ...sent, spoiler_text: ' '.repeat(50_000) })).toMatchObject(tooLong)
  })

  it('accepts a key of 255 characters and no longer one', async () => {
    const keyed = (key: string) =>
      as(alice).post('/api/v1/statuses', { status: 'a' }, { headers: { 'Idempotency-Key': key } })
    expect((await keyed('k'.repeat(255))).status).toBe(200)
    expect(await keyed('k'.repeat(256))).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Idempotency key is too long (maximum is 255 characters)' },
    })
  })
})
