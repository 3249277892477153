import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { execute } from '../../../db/query'
import { viewerById } from '../../../domain/core/viewer'
import {
  findScheduled,
  type Scheduled,
  scheduledPage as selectScheduled,
} from '../../../domain/statuses/scheduled/find-scheduled'
import { cancelScheduled } from '../../../domain/statuses/scheduled/schedule'
import { NotFound } from '../../../errors'
import { Button } from '../../components/button'
import { Day } from '../../components/day'
import { PostForm } from '../../components/form'
import { SettingsLayout } from '../../components/settings-layout'
import { storedErrorText } from '../../error-texts'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { idInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { pageBehind, readMaxId } from '../../pagination'
import { paths, scheduledCancelPath } from '../../paths'
import { composerPath } from '../compose/draft-lines'

const title = 'settings.scheduled.scheduledPosts'
const pageLength = 40

export const scheduledPage = memberPage({
  kind: 'settings',
  path: paths.scheduled,
  title,
  access: 'signed-in',
  menu: { group: 'posts', label: 'settings.scheduled.scheduledPosts', order: 60 },
  form: z.object({}),
  submissions: [{ path: `${paths.scheduled}/:id/cancel`, isCommand: true, run: cancel }],
  notices: { cancelled: 'settings.scheduled.postDeleted' },
  load: async (ctx, { session, query }) => {
    const maxId = readMaxId(query('max_id'))
    const selection = selectScheduled(viewerById(session.accountId), { limit: pageLength, maxId })
    const found = await execute(ctx.db, findScheduled(ctx, selection))
    const last = found.length < pageLength ? undefined : found.at(-1)
    return { posts: found.map(shown), nextPath: pageBehind(paths.scheduled, last?.row.id) }
  },
  view: ({ found: { posts, nextPath } }) => <ScheduledPage posts={posts} nextPath={nextPath} />,
})

async function cancel({ c, ctx, session }: SubmissionCall<unknown>) {
  const id = idInPath(c)
  try {
    if (id !== null) await cancelScheduled(ctx, { id: session.accountId }, id)
  } catch (failure) {
    // Posted meanwhile, or of another account: the list that follows shows it.
    if (!(failure instanceof NotFound)) throw failure
  }
  return { notice: 'cancelled' as const }
}

function shown({ row: { id, params, scheduledAt: at, failure }, media }: Scheduled): ScheduledPost {
  return {
    id,
    at,
    failure,
    files: media.length,
    text: params.spoilerText || params.text,
  }
}

export interface ScheduledPageProps {
  /** Newest first. */
  readonly posts: readonly ScheduledPost[]
  /** Next page; null if no older ones are left. */
  readonly nextPath: string | null
}

export interface ScheduledPost {
  readonly id: number
  readonly text: string
  readonly at: Date
  readonly files: number
  /** Reason it was not posted; null while it waits. */
  readonly failure: string | null
}

/** Scheduled posts of an account, and failed ones: each can be edited in the composer, and deleted. */
export function ScheduledPage(props: ScheduledPageProps) {
  const { posts, nextPath } = props
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      <p>{t('settings.scheduled.editOrPublish')}</p>
      {posts.length === 0 && <p>{t('settings.scheduled.noneWait')}</p>}
      {posts.map((post) => (
        <Post {...props} post={post} />
      ))}
      {nextPath !== null && (
        <p>
          <a href={nextPath}>{t('common.olderOnes')}</a>
        </p>
      )}
    </SettingsLayout>
  )
}

function Post({ post }: ScheduledPageProps & { readonly post: ScheduledPost }) {
  const { id, text, at, files, failure } = post
  const t = useTranslation()
  return (
    <section class="block" aria-label={t('settings.scheduled.postId', { id: String(id) })}>
      {failure !== null && (
        <p>
          <span class="tag warn">{t('settings.scheduled.notPosted')}</span> {storedErrorText(t, failure)}
        </p>
      )}
      <p dir="auto">
        {text === '' ? <span class="quiet small">{t('settings.scheduled.noText')}</span> : text}
      </p>
      <p class="quiet small">
        {t.rich('settings.scheduled.dayFiles', {
          day: <Day at={at} withTime />,
          files,
        })}
      </p>
      <a class="button" href={composerPath(`scheduled:${id}`)}>
        {t.rich('settings.scheduled.editPostTime', {
          time: at.toISOString().slice(0, 16),
          hidden: (words: Child[]) => <span class="hidden">{words}</span>,
        })}
      </a>{' '}
      <PostForm action={scheduledCancelPath(id)} class="inline">
        <Button look="secondary">
          {t.rich('settings.scheduled.deletePostTime', {
            time: at.toISOString().slice(0, 16),
            hidden: (words: Child[]) => <span class="hidden">{words}</span>,
          })}
        </Button>
      </PostForm>
    </section>
  )
}
