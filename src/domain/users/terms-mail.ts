import { ownAccountUrl, termsUrl } from '../../lib/addresses'
import { dayWords } from '../../lib/date-words'
import { type Mail, renderEmail, shortened } from '../../lib/mail'
import type { Ctx } from '../../ports/ctx'
import { translateFor } from '../core/translate'
import type { Terms } from '../instance/terms'
import type { Member } from './find'

/** Builds the mail about new terms. As a message about the contract it cannot be declined. */
export async function termsMail(
  ctx: Ctx,
  { username, email, locale }: Pick<Member, 'username' | 'email' | 'locale'>,
  { effectiveOn, changelog }: Pick<Terms, 'effectiveOn' | 'changelog'>,
): Promise<Mail> {
  const { domain, origin } = ctx.config
  const t = await translateFor<never>(ctx, locale)
  const isAhead = effectiveOn > ctx.clock.now().toISOString().slice(0, 10)
  const values = { domain, day: dayWords(t.language, effectiveOn) }
  const subject = isAhead
    ? t('The terms of service of {domain} change on {day}', values)
    : t('The terms of service of {domain} changed on {day}', values)
  const content = {
    language: t.language,
    subject,
    sentence: [subject],
    quoted: changelog.trim() === '' ? null : shortened(changelog.trim(), 5_000),
    note: isAhead
      ? t('If you go on using your account from that day on, they apply to you.')
      : t('If you go on using your account, they apply to you.'),
    link: { label: t('Read the terms'), url: termsUrl(origin, effectiveOn) },
    reason: t('You get this mail because you have the account {handle}.', {
      handle: `@${username}@${domain}`,
    }),
    links: [{ label: t('See your account'), url: ownAccountUrl(origin) }],
  }
  return { to: email, subject, ...renderEmail(content) }
}
