import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { viewerById } from '../../../domain/core/viewer'
import { createStatus } from '../../../domain/statuses/create'
import { preferencesOf } from '../../../domain/users/defaults'
import type { TextKey } from '../../../lib/translate'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { SelectField, TextAreaField } from '../../components/field'
import { ErrorSummary, type FormErrors, hasErrors, PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import type { FormPageProps } from '../../site'
import { isVisibility, visibilityLabels } from '../../visibility-labels'
import { memberViewer } from './member-viewer'

const title = 'interact.share.writeAPost'
const form = z.object({ text: z.string(), visibility: z.string() })

/**
 * Target of the share buttons of other sites, with the text in the address as Mastodon takes it. A web client will take its
 * place and that of `/publish`.
 */
export const sharePage = memberPage({
  kind: 'settings',
  path: paths.share,
  alsoAt: [paths.publish],
  title,
  access: 'active',
  menu: null,
  form,
  submissions: [{ run: post }],
  notices: { posted: 'interact.share.postPublished' },
  load: async (ctx, { session, query }) => ({
    text: sharedText(query),
    visibility: preferencesOf(await memberViewer(ctx, session.accountId)).visibility,
  }),
  view: ({ site, viewer, csrfToken, errors, message, found }) => (
    <SharePage
      site={site}
      viewer={viewer}
      csrfToken={csrfToken}
      errors={errors}
      message={message}
      text={found.text}
      visibility={found.visibility}
    />
  ),
})

/** The parts that share buttons send, in Mastodon's order. */
function sharedText(query: (name: string) => string): string {
  return ['title', 'text', 'url']
    .map((name) => query(name).trim())
    .filter((part) => part !== '')
    .join(' ')
}

async function post({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const { text, visibility } = input
  if (!isVisibility(visibility)) return { problem: 'Please choose from what is offered' }
  await ctx.throttle.take('statuses', String(session.accountId))
  const viewer = await memberViewer(ctx, session.accountId)
  await createStatus(ctx, viewer, {
    draft: { text, spoilerText: '', mediaIds: [], visibility },
    read: (id) => loadStatuses(ctx, viewerById(viewer.id), statusesById([id])),
  })
  return { notice: 'posted' as const }
}

export interface SharePageProps extends FormPageProps {
  readonly errors: FormErrors<'text' | 'visibility'>
  readonly message: TextKey | null
  readonly text: string
  readonly visibility: string
}

/** A form for a post of text alone. */
export function SharePage({
  site,
  viewer,
  csrfToken,
  errors,
  message: notice,
  text,
  visibility,
}: SharePageProps) {
  const t = useTranslation()
  return (
    <Layout site={site} viewer={viewer} title={t(title)} width="text" isPrivate hasErrors={hasErrors(errors)}>
      <h1>{t(title)}</h1>
      {notice !== null && (
        <Banner kind="success">
          <p>{t(notice)}</p>
        </Banner>
      )}
      <ErrorSummary errors={errors} />
      <section class="card" aria-label={t('interact.share.yourPost')}>
        <PostForm action={paths.share} csrfToken={csrfToken}>
          <TextAreaField
            name="text"
            label={t('interact.share.yourPost')}
            value={text}
            rows={8}
            maxlength={10_000}
            errors={errors.fields?.text}
          />
          <SelectField
            name="visibility"
            label={t('interact.share.whoSeesIt')}
            value={visibility}
            options={Object.entries(visibilityLabels).map(([value, label]) => ({ value, text: t(label) }))}
            errors={errors.fields?.visibility}
          />
          <Button>{t('common.publish')}</Button>
        </PostForm>
        <p class="muted">
          {t.rich('interact.share.picturesPollsUseApp', {
            apps: (words: Child[]) => <a href={paths.apps}>{words}</a>,
          })}
        </p>
      </section>
    </Layout>
  )
}
