import type { StatusEdit } from '../../../contract/entities/status-details'
import { NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import { loadEdits } from '../../../view/load/status-parts'
import { presentEdits } from '../../../view/present/status-details'
import { Day } from '../../components/day'
import { Shell, ViewHead } from '../../components/shell'
import { emojisOf, renderEmojis } from '../../emojis'
import { useTranslation } from '../../i18n/context'
import { PostContent } from '../../posts/post'
import { type PostView, postView } from '../../posts/post-view'
import { contentOf, mediaView } from '../../status-view'
import { showPartOfPost } from './show-part'

/** Shows all versions of a post, the latest first. */
export function showHistory(c: AppContext): Promise<Response> {
  const { config } = c.get('ctx')
  return showPartOfPost(c, {
    read: loadEdits,
    show: ({ status, bundle, facts, now, readerId }) => {
      const shown = bundle.statuses.get(Number(status.id))
      if (shown === undefined) throw new NotFound()
      const post = postView(config, status, readerId)
      const edits = presentEdits({ config, now }, shown, facts, status.quote)
      const versions = edits.map((edit) => versionOf(post, edit)).toReversed()
      return <HistoryPage post={post} versions={versions} />
    },
  })
}

/** A post as it was at a time. */
interface Version {
  readonly post: PostView
  /** Choices of its poll; none without. */
  readonly choices: readonly string[]
}

function versionOf(post: PostView, edit: StatusEdit): Version {
  return {
    choices: (edit.poll?.options ?? []).map(({ title }) => title),
    post: {
      ...post,
      createdAt: new Date(edit.created_at),
      warning: edit.spoiler_text === '' ? null : edit.spoiler_text,
      html: renderEmojis(
        contentOf({ content: edit.content, quote: edit.quote ?? null }),
        emojisOf(edit.emojis),
      ),
      isSensitive: edit.sensitive,
      media: edit.media_attachments.map(mediaView),
      poll: null,
      quote: null,
      card: null,
      reactions: [],
    },
  }
}

export interface HistoryPageProps {
  readonly post: PostView
  /** Latest first. */
  readonly versions: readonly Version[]
}

export function HistoryPage({ post, versions }: HistoryPageProps) {
  const t = useTranslation()
  const { name } = post.author
  return (
    <Shell title={t('client.historyOfPostByName', { name })} place={null} isPrivate>
      <ViewHead title={t('client.editHistory')} line={t('status.postByName', { name })} back={post.path} />
      {versions.map((version, index) => (
        <article class="post version" aria-label={titleOf(t, index, versions.length)}>
          <p class="why">
            <b>{titleOf(t, index, versions.length)}</b>
            <Day at={version.post.createdAt} withTime />
          </p>
          <div class="body">
            <PostContent post={version.post} isCurrent={false} />
            {version.choices.length > 0 && (
              <ul class="choices">
                {version.choices.map((choice) => (
                  <li dir="auto">{choice}</li>
                ))}
              </ul>
            )}
          </div>
        </article>
      ))}
    </Shell>
  )
}

function titleOf(t: ReturnType<typeof useTranslation>, index: number, count: number): string {
  if (index === 0) return t('client.currentVersion')
  return index === count - 1 ? t('client.originalPost') : t('client.edited')
}
