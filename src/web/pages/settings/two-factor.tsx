import * as z from 'zod'
import { both, execute } from '../../../db/query'
import type { SecurityChange } from '../../../db/schema/sign-in'
import { Changes, commit } from '../../../domain/core/changes'
import {
  isRecentlyAuthenticated,
  markAuthenticated,
  type WebSession,
} from '../../../domain/sessions/web-session'
import {
  beginTotp,
  cancelTotp,
  confirmTotp,
  findFactors,
  findTotp,
  hasSecondFactor,
  presentTotpSetUp,
  type RecoveryCodes,
  removeAllFactors,
  removeTotp,
  renewRecoveryCodes,
} from '../../../domain/sign-in/factors'
import { listPasskeys, passkeyLimits, registerPasskey, removePasskey } from '../../../domain/sign-in/passkeys'
import { findWithPassword } from '../../../domain/users/passwords'
import { addSecurityMail } from '../../../domain/users/warn'
import { Forbidden, Invalid, InvalidFields } from '../../../errors'
import { ButtonLink } from '../../components/button'
import { Layout } from '../../components/layout'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { Submission, SubmissionCall, Submitted } from '../../member-pages/declaration'
import { idInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { registrationOptions } from '../../passkey-options'
import { paths } from '../../paths'
import { takeSetUpReturn } from '../../two-factor-set-up'
import { TwoFactorPage, title } from '../two-factor/view'

const form = z.object({
  current_password: textField(),
  code: textField(100),
  name: textField(passkeyLimits.nameLength),
  credential: textField(20_000),
})
type Input = z.output<typeof form>
type Notice = 'confirmed' | 'cancelled' | 'app-removed' | 'passkey-added' | 'passkey-removed' | 'off'

/** Path of a form of this page. */
const at = (name: string) => `${paths.twoFactor}/${name}`

export const twoFactorPage = memberPage({
  kind: 'settings',
  path: paths.twoFactor,
  title,
  access: 'active',
  isBeforeTwoFactor: true,
  isBeforeTerms: true,
  menu: { group: 'security', topic: 'signIn', label: title, order: 230 },
  words: ['twoFactor.passkeys.passkeys', 'twoFactor.authenticatorApp', 'twoFactor.recoveryCodes'],
  form,
  submissions: [
    { path: at('password'), run: confirmPassword },
    recent('app', startApp),
    recent('app/confirm', confirmApp),
    recent('app/cancel', async ({ ctx, session }) => {
      await cancelTotp(ctx, session.accountId)
      return { notice: 'cancelled' }
    }),
    recent('app/remove', removeApp),
    recent('passkeys', addPasskey),
    recent('passkeys/:id/remove', deletePasskey),
    recent('recovery-codes', renewCodes),
    { path: at('off'), run: turnOff },
  ],
  notices: {
    confirmed: 'twoFactor.passwordConfirmed',
    cancelled: 'twoFactor.setUpCancelled',
    'app-removed': 'twoFactor.appRemoved',
    'passkey-added': 'twoFactor.passkeyAdded',
    'passkey-removed': 'twoFactor.passkeyRemoved',
    off: 'twoFactor.isOff',
  },
  script: 'passkeys.js',
  load: async (ctx, { session }) => {
    const { accountId } = session
    const [factors, passkeys] = await execute(
      ctx.db,
      both(findFactors(ctx, accountId), listPasskeys(ctx, accountId)),
    )
    const isRecent = isRecentlyAuthenticated(ctx, session)
    const totp = isRecent ? await execute(ctx.db, findTotp(ctx, accountId)) : null
    const isSettingUp = totp !== null && totp.confirmedAt === null
    const setUp = isSettingUp ? await presentTotpSetUp(ctx, totp, session) : null
    const boundTo = boundToOf(session)
    const passkeyOptions = await registrationOptions(ctx, session, { passkeys, boundTo })
    const isRequired = session.isTwoFactorRequired
    return { factors, passkeys, passkeyOptions, isRequired, isRecent, setUp }
  },
  view: ({ found }) => <TwoFactorPage {...found} />,
})

type Call = SubmissionCall<Input>

/** A form that is taken only shortly after the user has proved to be there. */
function recent(name: string, run: (call: Call) => Promise<Submitted<Notice>>): Submission<Input, Notice> {
  return {
    path: at(name),
    run: async (call) =>
      isRecentlyAuthenticated(call.ctx, call.session)
        ? run(call)
        : { problem: 'problem.confirmPasswordFirstNot' },
  }
}

/** The member behind a session, who gave their password. An open browser must not allow to try passwords without end. */
async function reauthenticate({ ctx, session, input }: Call) {
  await ctx.throttle.take('signInsByName', `account ${session.accountId}`)
  return findWithPassword(ctx, session.accountId, input.current_password)
}

async function confirmPassword(call: Call) {
  await reauthenticate(call)
  await markAuthenticated(call.ctx, call.session)
  return { notice: 'confirmed' as const }
}

async function startApp({ ctx, session }: Call) {
  await beginTotp(ctx, session.accountId)
  return { redirectTo: paths.twoFactor }
}

async function confirmApp(call: Call): Promise<Submitted<Notice>> {
  const { ctx, session, input } = call
  const codes = await confirmTotp(ctx, session.accountId, input.code)
  await mailChange(call, 'two-factor-on')
  if (codes === null) return { redirectTo: paths.twoFactor }
  return showCodes(call, codes)
}

async function removeApp(call: Call): Promise<Submitted<Notice>> {
  const { ctx, session } = call
  if (await isLastRequired(call)) return { problem: lastRequired }
  await removeTotp(ctx, session.accountId)
  const isLeft = hasSecondFactor(await execute(ctx.db, findFactors(ctx, session.accountId)))
  if (!isLeft) await mailChange(call, 'two-factor-off')
  return { notice: 'app-removed' }
}

/** Challenges for a new passkey belong to the session. */
function boundToOf({ id }: WebSession): string {
  return `session ${id}`
}

async function addPasskey(call: Call): Promise<Submitted<Notice>> {
  const { ctx, session, input } = call
  const { name, credential } = input
  const { accountId } = session
  const order = { accountId, name, credential, boundTo: boundToOf(session) }
  let codes: RecoveryCodes
  try {
    codes = await registerPasskey(ctx, order)
  } catch (failure) {
    if (failure instanceof Invalid && !(failure instanceof InvalidFields))
      return { problem: failure.problems }
    throw failure
  }
  await mailChange(call, codes === null ? 'passkey-added' : 'two-factor-on')
  if (codes === null) return { notice: 'passkey-added' }
  return showCodes(call, codes)
}

async function deletePasskey(call: Call): Promise<Submitted<Notice>> {
  const { c, ctx, session } = call
  if (await isLastRequired(call)) return { problem: lastRequired }
  const id = idInPath(c)
  const isRemoved = id !== null && (await removePasskey(ctx, session.accountId, id))
  const isLeft = hasSecondFactor(await execute(ctx.db, findFactors(ctx, session.accountId)))
  if (isRemoved) await mailChange(call, isLeft ? 'passkey-removed' : 'two-factor-off')
  return { notice: 'passkey-removed' }
}

async function renewCodes(call: Call): Promise<Submitted<Notice>> {
  const { ctx, session } = call
  const factors = await execute(ctx.db, findFactors(ctx, session.accountId))
  if (!hasSecondFactor(factors)) throw new Forbidden('nothing_to_recover')
  const codes = await renewRecoveryCodes(ctx, session.accountId)
  await mailChange(call, 'recovery-codes-renewed')
  return showCodes(call, codes)
}

/** Shows recovery codes, and from there leads on to what the second factor was required for. */
async function showCodes({ c }: Call, codes: readonly string[]): Promise<Submitted<Notice>> {
  const returnTo = await takeSetUpReturn(c)
  return { show: <RecoveryCodesPage codes={codes} returnTo={returnTo} /> }
}

const lastRequired = 'problem.lastSecondFactor'

/** Whether the only factor left is one that the role requires. */
async function isLastRequired({ ctx, session }: Call): Promise<boolean> {
  if (!session.isTwoFactorRequired) return false
  const { hasTotp, passkeyCount } = await execute(ctx.db, findFactors(ctx, session.accountId))
  return (hasTotp ? 1 : 0) + passkeyCount <= 1
}

async function turnOff(call: Call): Promise<Submitted<Notice>> {
  if (call.session.isTwoFactorRequired) return { problem: 'problem.roleRequiresTwoFactor' }
  await reauthenticate(call)
  await removeAllFactors(call.ctx, call.session.accountId)
  await mailChange(call, 'two-factor-off')
  return { notice: 'off' }
}

async function mailChange({ ctx, session }: Call, change: SecurityChange): Promise<void> {
  const { accountId, username, email, locale, confirmed } = session
  const member = { accountId, username, email, locale, confirmedAt: confirmed ? ctx.clock.now() : null }
  await commit(ctx, addSecurityMail(ctx, new Changes(), member, change))
}

interface RecoveryCodesPageProps {
  readonly codes: readonly string[]
  /** Page that a second factor was required for; null where it was set up by itself. */
  readonly returnTo: string | null
}

/** Recovery codes, shown this one time. */
export function RecoveryCodesPage({ codes, returnTo }: RecoveryCodesPageProps) {
  const t = useTranslation()
  return (
    <Layout title={t('twoFactor.recoveryCodes.yourRecoveryCodes')} isAlone isPrivate>
      <div class="block">
        <p>
          {t.rich('twoFactor.recoveryCodes.keepWhereFindWithout', { b: (words) => <strong>{words}</strong> })}
        </p>
        <ol class="recovery-codes">
          {codes.map((code) => (
            <li>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div class="actions">
          <ButtonLink href={returnTo ?? paths.twoFactor}>{t('twoFactor.recoveryCodes.iHaveKept')}</ButtonLink>
        </div>
      </div>
    </Layout>
  )
}
