import { problem } from '../../src/errors/sentences'
import type { Page } from '../../src/web/page-context'
import { RecoveryCodesPage } from '../../src/web/pages/settings/two-factor'
import { SignInStepPage } from '../../src/web/pages/sign-in-step'
import { TwoFactorPage } from '../../src/web/pages/two-factor/view'
import { Shown } from '../support/shown'
import type { NamedPage, StrangersWords } from './every-page'

export const passkeyOptions = { challenge: 'AAAA', rpId: 'hedgerow.example', timeout: 120_000 }

/** The pages of the second step of signing in, and of setting it up. */
export function secondStepPages(
  frame: Pick<Page, 'viewer'>,
  { email, displayName }: StrangersWords,
): readonly NamedPage[] {
  const wrongCode = { fields: { code: [problem('wrong_or_used', { field: 'code' })] } }
  const step = {
    ...frame,
    viewer: null,
    step: 'second-factor',
    hasTotp: true,
    passkeyOptions: null,
    maskedEmail: email,
    returnTo: '/oauth/authorize?client_id=1',
    isAdded: false,
    message: null,
    errors: {},
  } as const
  const page = {
    ...frame,
    factors: { hasTotp: false, passkeyCount: 0, recoveryCodeCount: 0 },
    isRequired: false,
    isRecent: true,
    passkeys: [],
    passkeyOptions,
    setUp: null,
    message: null,
    errors: {},
  }
  const on = { hasTotp: true, passkeyCount: 0, recoveryCodeCount: 10 }
  const passkey = {
    id: 1,
    accountId: 1,
    name: displayName,
    credentialId: 'AAAA',
    publicKey: 'AAAA',
    signCount: 0,
    transports: [],
    backedUp: true,
    createdAt: new Date('2026-03-01T10:00:00Z'),
    lastUsedAt: null,
    userHandle: 'AAAA',
  }
  const passkeys = [
    passkey,
    { ...passkey, id: 2, lastUsedAt: new Date('2026-03-02T10:00:00Z'), backedUp: false },
  ]
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const uri = `otpauth://totp/hedgerow.example:ada%40hedgerow.example?issuer=hedgerow.example&secret=${secret}`
  const setUp = { secret, uri }
  const codes = Array.from({ length: 10 }, (_, index) => `a1b2c-d3e4f-05162-738${index}4`)
  return [
    { name: 'sign-in-second-factor', page: <Shown of={SignInStepPage} {...step} /> },
    {
      name: 'sign-in-recovery-code',
      page: (
        <Shown
          of={SignInStepPage}
          {...step}
          hasTotp={false}
          errors={wrongCode}
          passkeyOptions={passkeyOptions}
        />
      ),
    },
    { name: 'sign-in-mailed-code', page: <Shown of={SignInStepPage} {...step} step="mailed-code" /> },
    { name: 'two-factor-off', page: <Shown of={TwoFactorPage} {...page} /> },
    { name: 'two-factor-required', page: <Shown of={TwoFactorPage} {...page} isRequired /> },
    {
      name: 'two-factor-password-first',
      page: <Shown of={TwoFactorPage} {...page} factors={on} isRecent={false} />,
    },
    {
      name: 'two-factor-on',
      page: (
        <Shown
          of={TwoFactorPage}
          {...page}
          factors={on}
          passkeys={passkeys}
          message="twoFactor.passwordConfirmed"
        />
      ),
    },
    {
      name: 'two-factor-set-up',
      page: <Shown of={TwoFactorPage} {...page} setUp={setUp} errors={wrongCode} />,
    },
    {
      name: 'recovery-codes',
      page: <Shown of={RecoveryCodesPage} {...page} codes={codes} returnTo={null} />,
    },
  ]
}
