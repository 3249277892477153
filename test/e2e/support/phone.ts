import type { BrowserContext, Page } from 'playwright-core'

/** Gives a window a phone that keeps passkeys and knows its owner by finger. */
export async function withPhone(context: BrowserContext, page: Page) {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  return { devtools, authenticatorId }
}
