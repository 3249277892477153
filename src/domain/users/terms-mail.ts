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
    ? t('mail.terms.termsServiceDomainChange', values)
    : t('mail.terms.termsServiceDomainChanged', values)
  const content = {
    language: t.language,
    subject,
    sentence: [subject],
    quoted: changelog.trim() === '' ? null : shortened(changelog.trim(), 5_000),
    note: isAhead ? t('mail.terms.ifGoUsingAccountFrom') : t('mail.terms.ifGoUsingAccount'),
    link: { label: t('common.readTheTerms'), url: termsUrl(origin, effectiveOn) },
    reason: t('mail.terms.getMailBecauseHave', {
      handle: `@${username}@${domain}`,
    }),
    links: [{ label: t('mail.seeYourAccount'), url: ownAccountUrl(origin) }],
  }
  return { to: email, subject, ...renderEmail(content) }
}
