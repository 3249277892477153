import { describe, expect, it } from 'vitest'
import { SettingsPatch } from '../../../src/domain/instance/settings'
import { Browser } from '../../support/browser'
import { password, signedIn } from '../../support/members'
import { withSettings } from '../../support/settings'

const phanpy = {
  membersStart: 'client',
  clientName: 'Phanpy',
  clientUrl: 'https://client.example/#/login?instance={host}',
} as const
const address = 'https://client.example/#/login?instance=fieldfare.test'

describe('the place where members begin', () => {
  it('members begin at home', async () => {
    const { member, browser } = await signedIn()
    expect((await browser.get('/')).location).toBe('/home')
    const again = await new Browser().signIn(member.username, password)
    expect(again.location).toBe('/home')
  })

  it('members begin at the landing page where the operator chooses it', async () => {
    const { browser } = await signedIn()
    await withSettings({ membersStart: 'landing' }, async () => {
      expect((await browser.get('/')).status).toBe(200)
    })
  })

  it('members begin at the web client of the operator, and visitors at the landing page', async () => {
    const { member, browser } = await signedIn()
    await withSettings(phanpy, async () => {
      expect((await browser.get('/')).location).toBe(address)
      const visitor = new Browser()
      const form = await visitor.get('/auth/sign_in')
      // Browsers apply the directive to redirects after the form.
      expect(form.headers.get('content-security-policy')).not.toContain('form-action')
      expect((await visitor.signIn(member.username, password)).location).toBe(address)
      expect((await new Browser().get('/')).status).toBe(200)
    })
  })

  it('sign-in leads to the page that asked for it, not to the web client', async () => {
    const { member } = await signedIn()
    await withSettings(phanpy, async () => {
      const visitor = new Browser()
      expect(
        (await visitor.get('/auth/sign_in?return_to=/lists')).headers.get('content-security-policy'),
      ).toContain("form-action 'self'")
      expect((await visitor.signIn(member.username, password, '/lists')).location).toBe('/lists')
    })
  })

  it('the list of apps names the web client of the operator first, and once', async () => {
    const { browser } = await signedIn()
    await withSettings({ ...phanpy, membersStart: 'home' }, async () => {
      const { html } = await browser.get('/about/apps')
      expect(html.split('https://client.example').length).toBe(2)
      expect(html.match(/>Phanpy</g)).toHaveLength(1)
    })
  })

  it('the address of a web client has to begin with https', () => {
    const isTaken = (clientUrl: string) => SettingsPatch.safeParse({ clientUrl }).success
    expect(isTaken('https://elk.example/{host}/public')).toBe(true)
    expect(['http://elk.example', 'javascript:alert(1)', 'https://', 'elk.example'].map(isTaken)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})
