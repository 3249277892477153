import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { execute } from '../../../db/query'
import { termsOf } from '../../../domain/instance/terms'
import { acknowledgeTerms } from '../../../domain/users/mail-terms'
import { dayWords } from '../../../lib/date-words'
import { renderDocument } from '../../../lib/text/document'
import { Button } from '../../components/button'
import { PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { Prose } from '../../components/prose'
import { textField } from '../../form-fields'
import { useReader, useTranslation } from '../../i18n/context'
import { memberPage } from '../../member-pages/member-page'
import { usePage } from '../../page-context'
import { paths } from '../../paths'
import { returnToOf } from '../../return-to'

const title = 'common.termsOfService'

/** Shown once to members notified of new terms, before the requested page. */
export const termsPage = memberPage({
  kind: 'settings',
  path: paths.termsNotice,
  title,
  access: 'signed-in',
  isBeforeTerms: true,
  menu: null,
  form: z.object({ return_to: textField(8_000) }),
  submissions: [
    {
      run: async ({ c, ctx, session, input }) => {
        await acknowledgeTerms(ctx, session.accountId)
        return { redirectTo: returnToOf(c, input.return_to) ?? paths.home }
      },
    },
  ],
  notices: {},
  load: async (ctx, { session, query }) => {
    const { termsToSee } = session
    const terms = termsToSee === null ? null : await execute(ctx.db, termsOf(ctx, termsToSee))
    const today = ctx.clock.now().toISOString().slice(0, 10)
    return {
      returnTo: query('return_to'),
      notice:
        terms === null
          ? null
          : {
              effectiveOn: terms.effectiveOn,
              isAhead: terms.effectiveOn > today,
              changelogHtml: terms.changelog.trim() === '' ? null : renderDocument(terms.changelog),
              termsPath: `${paths.terms}/${terms.effectiveOn}`,
            },
    }
  },
  view: ({ found }) => <TermsNoticePage {...found} />,
})

export interface TermsNoticePageProps {
  readonly returnTo: string
  /** Null where there is nothing new. */
  readonly notice: {
    /** Calendar day, as 2027-01-02. */
    readonly effectiveOn: string
    readonly isAhead: boolean
    /** Sanitised; null where the operator has said nothing. */
    readonly changelogHtml: string | null
    readonly termsPath: string
  } | null
}

export function TermsNoticePage({ returnTo, notice }: TermsNoticePageProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <Layout title={t(title)} isAlone isPrivate>
      <div class="block">
        {notice === null ? (
          <p>{t('settings.terms.haveSeenCurrentTerms')}</p>
        ) : (
          <>
            <p>
              <Announcement {...notice} domain={site.domain} />
            </p>
            {notice.changelogHtml !== null && <Prose html={notice.changelogHtml} />}
            <p>
              <a href={notice.termsPath}>{t('common.readTheTerms')}</a>
            </p>
            <p class="quiet small">
              {t.rich('settings.terms.ifGoUsingAccount', {
                copy: (words: Child[]) => <a href={paths.transfers}>{words}</a>,
                delete: (words: Child[]) => <a href={paths.deletion}>{words}</a>,
              })}
            </p>
          </>
        )}
        <PostForm action={paths.termsNotice} hidden={{ return_to: returnTo }}>
          <Button>{t('common.continue')}</Button>
        </PostForm>
      </div>
    </Layout>
  )
}

interface AnnouncementProps {
  readonly domain: string
  readonly effectiveOn: string
  readonly isAhead: boolean
}

function Announcement({ domain, effectiveOn, isAhead }: AnnouncementProps) {
  const t = useTranslation()
  const values = { domain, day: dayWords(useReader().language, effectiveOn) }
  return isAhead
    ? t('settings.terms.termsServiceDomainChange', values)
    : t('settings.terms.termsServiceDomainChanged', values)
}
