import { ownAccountUrl, termsUrl } from '../../lib/addresses'
import { lazy } from '../../lib/lazy'
import { type Mail, shortened } from '../../lib/mail/mail'
import { renderEmail } from '../../lib/mail/render'
import type { Ctx } from '../../platform/ports'
import type { Terms } from '../instance/terms'
import type { Member } from './find'

const day = lazy(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }))

/** Sentence that says what happens to the terms, and when. */
export function termsSentence({ config }: Pick<Ctx, 'config'>, effectiveOn: string, today: string): string {
  const date = day().format(new Date(effectiveOn))
  return effectiveOn > today
    ? `The terms of service of ${config.domain} change on ${date}`
    : `The terms of service of ${config.domain} changed on ${date}`
}

/** Builds the mail about new terms. As a message about the contract it cannot be declined. */
export function termsMail(
  ctx: Ctx,
  { username, email }: Pick<Member, 'username' | 'email'>,
  { effectiveOn, changelog }: Pick<Terms, 'effectiveOn' | 'changelog'>,
): Mail {
  const { domain, origin } = ctx.config
  const today = ctx.clock.now().toISOString().slice(0, 10)
  const subject = termsSentence(ctx, effectiveOn, today)
  const content = {
    subject,
    doer: null,
    deed: subject,
    quoted: changelog.trim() === '' ? null : shortened(changelog.trim(), 5_000),
    note:
      effectiveOn > today
        ? 'If you go on using your account from that day on, they apply to you.'
        : 'If you go on using your account, they apply to you.',
    link: { label: 'Read the terms', url: termsUrl(origin, effectiveOn) },
    reason: `You get this mail because you have the account @${username}@${domain}.`,
    links: [{ label: 'See your account', url: ownAccountUrl(origin) }],
  }
  return { to: email, subject, ...renderEmail(content) }
}
