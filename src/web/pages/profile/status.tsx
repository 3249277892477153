import type { Imported } from '../../../domain/statuses/archived/find-imports'
import type { TranslateText } from '../../../lib/translate'
import type { AboutLinks } from '../../components/head'
import { ImportedPost } from '../../components/import-note'
import { VisitorView } from '../../components/layout'
import { useTranslation } from '../../i18n/context'
import type { PostView } from '../../posts/post-view'
import { Thread } from '../../posts/thread'

export interface StatusPageProps {
  readonly about: AboutLinks
  readonly post: PostView
  /** Null for a post that was written here. */
  readonly imported: Imported | null
  readonly ancestors: readonly PostView[]
  readonly replies: readonly PostView[]
  /** For link previews. */
  readonly text: string
  /** The first picture of the status where it may be shown, otherwise the author. */
  readonly imageUrl: string
  readonly isIndexable: boolean
  /** Beginning of its text; null if it has none. */
  readonly headline: string | null
  /** Visible to accounts other than its author. */
  readonly isForAll: boolean
}

/** A status in its thread, as far as it is public. */
export function StatusPage(props: StatusPageProps) {
  const { about, post, imported, ancestors, replies, isIndexable, isForAll } = props
  const t = useTranslation()
  const { name, handle } = post.author
  const preview = {
    kind: 'article' as const,
    url: about.url,
    imageUrl: props.imageUrl,
    title: `${name} (${handle})`,
    description: props.text === '' ? t('status.postByName', { name: handle }) : props.text,
  }
  const layout = { about, title: titleFor(t, props), ...(isForAll ? { preview } : {}) }
  return (
    <VisitorView {...layout} heading={t('client.post')} isPrivate={!isIndexable}>
      {imported !== null && <ImportedPost source={imported.source} />}
      <Thread
        {...{ ancestors, post, replies }}
        translation={null}
        replyBeginning=""
        draft={null}
        hasSavedReplies={false}
      />
    </VisitorView>
  )
}

/** Titles stay in histories and on shared screens, so they show nothing that is not public. */
function titleFor(t: TranslateText, { post: { author }, headline, isForAll }: StatusPageProps): string {
  const { name } = author
  if (!isForAll || headline === null) return t('status.postByName', { name })
  return t('status.nameHeadline', { name, headline })
}
