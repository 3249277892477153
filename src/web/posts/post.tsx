import type { Child } from 'hono/jsx'
import { smallAvatar } from '../../contract/small-avatars'
import type { TextKey } from '../../lib/translate'
import { EmojiText } from '../components/emoji-text'
import { Icon, type IconName } from '../components/icon'
import { Prose } from '../components/prose'
import { useLook, useTranslation } from '../i18n/context'
import { historyPath } from './acts'
import { Age } from './age'
import { usePosts } from './context'
import { LinkPreview } from './link-preview'
import { Poll } from './poll'
import { PostButtons } from './post-buttons'
import { PostMediaGrid } from './post-media'
import type { PersonView, PostQuote, PostView } from './post-view'
import { QuotedPost } from './quoted-post'
import { Reactions } from './reactions'

export interface PostProps {
  readonly post: PostView
  readonly isPinned?: boolean
  /** Classes of a thread: `up` joins it to the next one below. */
  readonly thread?: 'up' | 'chain' | undefined
  /** False where the page around it has the buttons. */
  readonly hasButtons?: boolean
}

/** A post in a timeline. */
export function Post({ post, isPinned = false, thread, hasButtons = true }: PostProps) {
  const { filter } = post
  if (filter !== null && !filter.isBlur)
    return <FilteredPost {...{ post, isPinned, thread, hasButtons }} title={filter.title} />
  return <WholePost {...{ post, isPinned, thread, hasButtons }} />
}

function FilteredPost({ title, ...props }: PostProps & { readonly title: string }) {
  const t = useTranslation()
  return (
    <details class="filtered">
      <summary>
        <Icon name="funnel" />
        <span>{t('client.filteredName', { name: title })}</span>
        <b>{t('client.showAnyway')}</b>
      </summary>
      <WholePost {...props} />
    </details>
  )
}

function WholePost({ post, isPinned, thread, hasButtons }: PostProps) {
  const { author } = post
  return (
    <article
      class={thread === undefined ? 'post' : `post ${thread}`}
      id={`p-${post.entryId}`}
      aria-label={usePostName(post)}
    >
      <Why post={post} isPinned={isPinned === true} />
      <AvatarLink person={author} />
      <div class="body">
        <PostLine post={post} />
        {post.replyTo !== null && <InReplyTo post={post} />}
        <PostContent post={post} />
        {hasButtons && <PostButtons post={post} />}
      </div>
    </article>
  )
}

/** The name that screen readers say when they jump from post to post. */
export function usePostName({ author, headline }: PostView): string {
  const t = useTranslation()
  return headline === null
    ? t('status.postByName', { name: author.name })
    : t('status.nameHeadline', { name: author.name, headline })
}

export function AvatarLink({ person, size = 44 }: { readonly person: PersonView; readonly size?: number }) {
  return (
    <a class="avatar-link" href={person.path} tabindex={-1}>
      <img
        class="avatar"
        src={smallAvatar(person.avatarUrl)}
        alt={person.name}
        width={size}
        height={size}
        loading="lazy"
      />
    </a>
  )
}

function Why({ post: { boostedBy }, isPinned }: { readonly post: PostView; readonly isPinned: boolean }) {
  const t = useTranslation()
  if (boostedBy !== null)
    return (
      <p class="why">
        <Icon name="repeat-2" isSmall />
        <span>
          {t.rich('client.nameBoosted', {
            person: (words) => <a href={boostedBy.path}>{words}</a>,
            name: <EmojiText text={boostedBy.name} emojis={boostedBy.emojis} />,
          })}
        </span>
      </p>
    )
  if (!isPinned) return null
  return (
    <p class="why">
      <Icon name="pin" isSmall />
      <span>{t('status.pinned')}</span>
    </p>
  )
}

/** Name, address, visibility and age of a post. */
function PostLine({ post }: { readonly post: PostView }) {
  const { author, path } = post
  const { now } = usePosts()
  return (
    <div class="line">
      <h2 class="who">
        <a href={author.path}>
          <EmojiText text={author.name} emojis={author.emojis} />
        </a>
      </h2>
      <span class="acct">
        <span class="ltr">@{author.acct}</span>
      </span>
      <span class="meta">
        <VisibilityIcon post={post} />
        {post.isEdited && <Edited path={path} />}
        <a href={path}>
          <Age at={post.createdAt} now={now} />
        </a>
      </span>
    </div>
  )
}

/** Visibility of a post that is not public. */
export function VisibilityIcon({ post: { visibility, isLocalOnly } }: { readonly post: PostView }) {
  const t = useTranslation()
  const shown = visibilityOf(visibility, isLocalOnly)
  if (shown === null) return null
  const [icon, words] = shown
  return (
    <span title={t(words)}>
      <Icon name={icon} />
      <span class="hidden">{t(words)}</span>
    </span>
  )
}

function visibilityOf(visibility: PostView['visibility'], isLocalOnly: boolean): [IconName, TextKey] | null {
  if (visibility === 'direct') return ['at-sign', 'client.mentionedPeopleOnly']
  if (visibility === 'private') return ['lock', 'client.followersOnly']
  if (isLocalOnly) return ['house', 'client.thisServerOnly']
  return visibility === 'unlisted' ? ['moon', 'client.quietPublic'] : null
}

function Edited({ path }: { readonly path: string }) {
  const t = useTranslation()
  return (
    <a href={historyPath(path)} title={t('client.edited')}>
      <Icon name="pencil" />
      <span class="hidden">{t('client.edited')}</span>
    </a>
  )
}

function InReplyTo({ post: { replyTo } }: { readonly post: PostView }) {
  const t = useTranslation()
  if (replyTo === null) return null
  return (
    <p class="to">
      <Icon name="reply" />
      <span>
        {replyTo.isOwnThread ? (
          <a href={replyTo.path}>{t('client.continuesAThread')}</a>
        ) : replyTo.acct === null ? (
          <a href={replyTo.path}>{t('client.inReplyToAPost')}</a>
        ) : (
          t.rich('client.inReplyToName', {
            person: (words) => <a href={replyTo.path}>{words}</a>,
            name: <bdi>@{replyTo.acct}</bdi>,
          })
        )}
      </span>
    </p>
  )
}

export interface PostContentProps {
  readonly post: PostView
  /** False for an earlier version. */
  readonly isCurrent?: boolean
}

/** Text, media, poll, quote, card and reactions, behind the content warning where the author gave one. */
export function PostContent({ post, isCurrent = true }: PostContentProps) {
  const t = useTranslation()
  const { warning } = post
  const { opensWarnings } = useLook()
  if (warning === null) return <PostParts post={post} isCurrent={isCurrent} />
  return (
    <details class="warned" open={opensWarnings}>
      <summary>
        <Icon name="triangle-alert" />
        <bdi class="what">{warning}</bdi>
        <span class="button low shut">{t('client.show')}</span>
        <span class="button low opened">{t('client.hide')}</span>
      </summary>
      <PostParts post={post} isCurrent={isCurrent} />
    </details>
  )
}

function PostParts({ post, isCurrent }: Required<PostContentProps>): Child {
  const { html, language, media, poll, quote, card, reactions, isSensitive, warning, filter } = post
  const { media: choice } = useLook()
  const hidesSensitive = isSensitive && warning === null && choice !== 'show_all'
  return (
    <>
      {html !== '' && (
        <div class="text" lang={language ?? undefined} dir="auto">
          <Prose html={html} />
        </div>
      )}
      {media.length > 0 && (
        <PostMediaGrid
          post={post}
          isHidden={hidesSensitive || filter?.isBlur === true}
          isCurrent={isCurrent}
        />
      )}
      {poll !== null && <Poll post={post} poll={poll} />}
      {quote !== null && <Quote quote={quote} />}
      {card !== null && quote === null && <LinkPreview card={card} isSensitive={isSensitive} />}
      {reactions.length > 0 && <Reactions post={post} />}
    </>
  )
}

const quoteSentences: Readonly<Record<Exclude<PostQuote['state'], 'accepted'>, TextKey>> = {
  pending: 'client.quote.pending',
  rejected: 'client.quote.rejected',
  revoked: 'client.quote.revoked',
  deleted: 'client.quote.deleted',
  unauthorized: 'client.quote.unauthorized',
  blocked_account: 'client.quote.blockedAccount',
  blocked_domain: 'client.quote.blockedDomain',
  muted_account: 'client.quote.mutedAccount',
  unseen: 'status.quotedPostNotShown',
}

function Quote({ quote }: { readonly quote: PostQuote }) {
  const t = useTranslation()
  if (quote.state === 'accepted') return <QuotedPost post={quote.post} />
  return <p class="quote quiet">{t(quoteSentences[quote.state])}</p>
}
