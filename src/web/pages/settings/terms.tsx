import * as z from 'zod'
import { execute } from '../../../db/query'
import { termsOf } from '../../../domain/instance/terms'
import { acknowledgeTerms } from '../../../domain/users/acknowledge-terms'
import { termsSentence } from '../../../domain/users/terms-mail'
import { renderDocument } from '../../../lib/text/document'
import { Button } from '../../components/button'
import { PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { Prose } from '../../components/prose'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import { returnToOf } from '../../return-to'
import type { AccountSummary, FormPageProps } from '../../site'

const title = 'Terms of service'

/** Shown once to members who were told about new terms, before the page they were going to. */
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
        return { redirectTo: returnToOf(c, input.return_to) ?? paths.account }
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
              sentence: termsSentence(ctx, terms.effectiveOn, today),
              changelogHtml: terms.changelog.trim() === '' ? null : renderDocument(terms.changelog),
              termsPath: `${paths.terms}/${terms.effectiveOn}`,
            },
    }
  },
  view: ({ site, viewer, csrfToken, found }) => (
    <TermsNoticePage site={site} viewer={viewer} csrfToken={csrfToken} {...found} />
  ),
})

export interface TermsNoticePageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly returnTo: string
  /** Null where there is nothing new. */
  readonly notice: {
    readonly sentence: string
    /** Sanitised; null where the operator has said nothing. */
    readonly changelogHtml: string | null
    readonly termsPath: string
  } | null
}

export function TermsNoticePage({ site, viewer, csrfToken, returnTo, notice }: TermsNoticePageProps) {
  return (
    <Layout site={site} viewer={viewer} title={title} width="narrow" isPrivate>
      <div class="card">
        <h1>{title}</h1>
        {notice === null ? (
          <p>You have seen the current terms.</p>
        ) : (
          <>
            <p>{notice.sentence}.</p>
            {notice.changelogHtml !== null && <Prose html={notice.changelogHtml} />}
            <p>
              <a href={notice.termsPath}>Read the terms</a>
            </p>
            <p class="muted">
              If you go on using your account, they apply to you. You can also take{' '}
              <a href={paths.transfers}>a copy of your data</a> and <a href={paths.deletion}>delete it</a>.
            </p>
          </>
        )}
        <PostForm action={paths.termsNotice} csrfToken={csrfToken} hidden={{ return_to: returnTo }}>
          <Button>Continue</Button>
        </PostForm>
      </div>
    </Layout>
  )
}
