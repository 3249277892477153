import { describe, expect, it } from 'vitest'
import { ProxyAddresses } from '../../src/contract/media-proxy'
import { instanceSecrets, sign, verify } from '../../src/lib/secrets'
import { Browser, hiddenFields } from '../support/browser'
import { givenMember, password, signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

const day = 86_400_000
const former = context().config.secrets.current.text
const next = 'the secret that the operator made today, 43'
const later = 'the secret that the operator made after it.'

/** Requests as the server answers them with these secrets. */
function withSecrets(current: string, accepted: readonly string[] = []) {
  return { overrides: { config: { ...context().config, secrets: instanceSecrets(current, accepted) } } }
}

const isSignedIn = async (browser: Browser, options: ReturnType<typeof withSecrets>) =>
  (await browser.get('/settings/notifications', options)).status === 200

describe('a session from before a rotation', () => {
  it('works with both secrets, and ends once its own is removed', async () => {
    const { browser } = await signedIn()
    expect(await isSignedIn(browser, withSecrets(next, [former]))).toBe(true)
    expect(await isSignedIn(browser, withSecrets(later, [next, former]))).toBe(true)
    expect(await isSignedIn(browser, withSecrets(next))).toBe(false)
  })

  it('outlives its secret if it was used a day after the rotation', async () => {
    const { browser } = await signedIn()
    clock.advance(day)
    expect(await isSignedIn(browser, withSecrets(next, [former]))).toBe(true)
    expect(await isSignedIn(browser, withSecrets(next))).toBe(true)
    expect(browser.jar.get('__Host-device') ?? browser.jar.get('device')).toBeDefined()
  })

  it('an earlier session is the same while only some of the requests reach the next secret', async () => {
    const { browser } = await signedIn()
    clock.advance(day)
    expect(await isSignedIn(browser, withSecrets(next, [former]))).toBe(true)
    // An isolate that has not got the second step yet.
    expect(await isSignedIn(browser, withSecrets(former, [next, former]))).toBe(true)
  })
})

it('accepts a form that was opened before the rotation', async () => {
  const member = await givenMember()
  const browser = new Browser()
  const page = await browser.get('/auth/sign_in')
  const fields = { ...hiddenFields(page.html, '/auth/sign_in'), username: member.username, password }
  const refused = await browser.post('/auth/sign_in', fields, withSecrets(next))
  expect(refused.status).toBe(422)
  const accepted = await browser.post('/auth/sign_in', fields, withSecrets(next, [former]))
  expect(accepted.status).toBe(303)
})

it('verifies signatures of accepted secrets alone, each for its purpose', async () => {
  const signature = await sign(instanceSecrets(former), 'a purpose', 'a text')
  const isValid = (current: string, accepted: string[], purpose = 'a purpose', text = 'a text') =>
    verify(instanceSecrets(current, accepted), purpose, text, signature)
  expect(await isValid(former, [])).toBe(true)
  expect(await isValid(later, [next, former])).toBe(true)
  expect(await isValid(next, [])).toBe(false)
  expect(await isValid(next, [former], 'another purpose')).toBe(false)
  expect(await isValid(next, [former], 'a purpose', 'another text')).toBe(false)
})

it('serves remote files by addresses from before the rotation', async () => {
  const url = 'https://files.test/a.png'
  const addresses = (current: string, accepted: string[] = []) =>
    new ProxyAddresses(instanceSecrets(current, accepted), clock.now())
  const before = addresses(former).pathOf(url)
  const [mac = '', owner = '', encoded = ''] = before.split('/')
  expect(addresses(next, [former]).fileOf(mac, owner, encoded)).toEqual({ url, owner: null })
  expect(addresses(next).fileOf(mac, owner, encoded)).toBeNull()
  expect(addresses(next, [former]).pathOf(url)).not.toBe(before)
})
