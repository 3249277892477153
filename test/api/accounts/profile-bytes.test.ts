import { beforeAll, describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'

describe('a profile of many bytes', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })
  const update = (body: Record<string, unknown>) =>
    as(alice).patch('/api/v1/accounts/update_credentials', body)
  const refusal = (error: string) => ({ status: 422, body: { error: `Validation failed: ${error}` } })

  it.each([
    ['Chinese', '漢'.repeat(500)],
    ['flags', '\u{1f1e9}\u{1f1ea}'.repeat(500)],
    ['one address of 8,000 characters', `https://a.example/${'b'.repeat(8_000)}`],
  ])('accepts a note of %s', async (_what, note) => {
    expect((await update({ note })).status).toBe(200)
  })

  it.each([
    ['marks', `a${'\u0301'.repeat(5_000)}`],
    ['what HTML makes ten times as long', `https://a.example/?${'&'.repeat(3_000)}b`],
  ])('refuses a note of that many %s', async (_what, note) => {
    expect(await update({ note })).toMatchObject(refusal('Note is too long (maximum is 500 characters)'))
  })

  it('accepts four fields with an address each, and none with mentions of long addresses', async () => {
    const url = (host: string) => `https://${host}/${'a'.repeat(200)}`
    const owned = ['a.test', 'b.test', 'c.test', 'd.test'].map((host) => ({ name: host, value: url(host) }))
    expect((await update({ fields_attributes: owned })).status).toBe(200)
    const far = await given.remoteAccount({ url: `https://elsewhere.test/${'a'.repeat(1_500)}` })
    const named = { name: 'Friends', value: Array(9).fill(`@${far.username}@elsewhere.test`).join(' ') }
    expect(await update({ fields_attributes: [named] })).toMatchObject(
      refusal('Fields have a value that is too long (maximum is 255 characters)'),
    )
  })
})
