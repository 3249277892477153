import type { Child } from 'hono/jsx'
import { smallAvatar } from '../../contract/small-avatars'
import { Day } from '../components/day'
import { EmojiText } from '../components/emoji-text'
import { Icon } from '../components/icon'
import { useTranslation } from '../i18n/context'
import { languageName } from '../i18n/names'
import { historyPath } from './acts'
import { Post, PostContent, usePostName, VisibilityIcon } from './post'
import { PostButtons } from './post-buttons'
import type { PostView } from './post-view'
import { QuickComposer, type WaitingDraft } from './quick-composer'
import { type Branch, postsBelow, sizeBelow, threadTree } from './thread-tree'
import type { TranslatedPost } from './translation'

/** Ancestors that are shown before the others fold. */
const mostAncestors = 3
/** Levels of replies before a link goes on. */
const mostLevels = 4
/** Replies of a branch below the second level that are shown without a press. */
const mostUnfolded = 3

export interface ThreadProps {
  readonly ancestors: readonly PostView[]
  readonly post: PostView
  readonly replies: readonly PostView[]
  /** The post in the language of the reader; null where it is shown as it was written. */
  readonly translation: TranslatedPost | null
  /** Text that a reply begins with: the people it is for. */
  readonly replyBeginning: string
  /** A reply that was begun. */
  readonly draft: WaitingDraft | null
  /** The reader keeps texts to answer with. */
  readonly hasSavedReplies: boolean
}

/** A post between the posts it answers and its replies. */
export function Thread(props: ThreadProps) {
  const { ancestors, post, replies, translation, replyBeginning, draft, hasSavedReplies } = props
  const t = useTranslation()
  const { chain, branches } = threadTree(post, replies)
  const folded = ancestors.length > mostAncestors ? ancestors.slice(0, -mostAncestors + 1) : []
  const shown = ancestors.slice(folded.length)
  const part = (index: number) => ({ number: index + 1, of: chain.length + 1 })
  return (
    <>
      {folded.length > 0 && <FoldedAncestors posts={folded} />}
      {shown.map((one) => (
        <Post post={one} thread="up" />
      ))}
      <FocusedPost post={post} part={chain.length === 0 ? null : part(0)} translation={translation} />
      {chain.map((one) => (
        <Post post={one} thread="chain" />
      ))}
      {post.state !== null && (
        <QuickComposer
          draft={draft}
          reply={{ id: post.id, name: post.author.name, beginning: replyBeginning, hasSavedReplies }}
        />
      )}
      {branches.length > 0 && (
        <section aria-label={t('status.replies')}>
          <Branches branches={branches} level={1} />
        </section>
      )}
    </>
  )
}

function FoldedAncestors({ posts }: { readonly posts: readonly PostView[] }) {
  const t = useTranslation()
  const names = [...new Set(posts.map(({ author }) => author.name))].slice(0, 3).join(', ')
  return (
    <details class="earlier">
      <summary class="fold on">
        <span class="dots">
          <Icon name="ellipsis" />
        </span>
        <span>
          {t('client.earlierPostOtherEarlierPostsBy', {
            count: posts.length,
            names,
          })}
        </span>
      </summary>
      {posts.map((post) => (
        <Post post={post} thread="up" />
      ))}
    </details>
  )
}

interface FocusedPostProps {
  readonly post: PostView
  /** Place of the post in what its author wrote in one go; null for a single post. */
  readonly part: { readonly number: number; readonly of: number } | null
  readonly translation: TranslatedPost | null
}

/** The post that a page is about. */
export function FocusedPost({ post, part, translation }: FocusedPostProps) {
  const t = useTranslation()
  const { author, counts } = post
  return (
    <article
      class="post focus"
      id={`p-${post.entryId}`}
      aria-label={usePostName(post)}
      aria-current="true"
      data-fresh={post.state === null ? undefined : t('client.newReply')}
      data-since={post.state === null ? undefined : t('client.newSinceYouWereHere')}
    >
      <div class="top">
        <a class="avatar-link" href={author.path} tabindex={-1}>
          <img class="avatar" src={smallAvatar(author.avatarUrl)} alt={author.name} width="44" height="44" />
        </a>
        <div class="names">
          <h2 class="who">
            <a href={author.path}>
              <EmojiText text={author.name} emojis={author.emojis} />
            </a>
          </h2>
          {/* Visitors may come from other servers. */}
          <span class="quiet ltr">{post.state === null ? author.handle : `@${author.acct}`}</span>
        </div>
        {part !== null && (
          <span class="part" title={t('client.partNumberOfOf', part)}>
            {part.number}/{part.of}
          </span>
        )}
      </div>
      <PostContent post={translation?.post ?? post} />
      {translation !== null && <TranslatedBy translation={translation} />}
      <p class="facts">
        <span>
          <Day at={post.createdAt} withTime />
          <VisibilityIcon post={post} />
        </span>
        {post.isEdited && (
          <a href={historyPath(post.path)}>
            <Icon name="pencil" isSmall />
            {t('client.edited')}
          </a>
        )}
        {counts.reblogs > 0 && (
          <CountLink post={post} part="reblogs">
            {t('status.boosts', { count: counts.reblogs })}
          </CountLink>
        )}
        {counts.favourites > 0 && (
          <CountLink post={post} part="favourites">
            {t('status.favourites', { count: counts.favourites })}
          </CountLink>
        )}
      </p>
      <PostButtons post={post} />
    </article>
  )
}

interface CountLinkProps {
  readonly post: PostView
  readonly part: 'reblogs' | 'favourites'
  readonly children: Child
}

/** Number of people, for members a link to who they are. */
function CountLink({ post: { path, state }, part, children }: CountLinkProps) {
  if (state === null) return <span>{children}</span>
  return <a href={`${path}/${part}`}>{children}</a>
}

/** Language and service of a translation, and the way back to what was written. */
function TranslatedBy({ translation: { post, from, provider } }: { readonly translation: TranslatedPost }) {
  const t = useTranslation()
  return (
    <p class="facts">
      <span>
        {t('client.translatedFromLanguageByProvider', {
          language: languageName(t.language, from ?? '', t('client.anotherLanguage')),
          provider,
        })}
      </span>
      <a href={post.path}>{t('client.showOriginal')}</a>
    </p>
  )
}

/** Replies of a deep branch as one line with faces. */
function FoldedReplies({ branch, level }: { readonly branch: Branch; readonly level: number }) {
  const t = useTranslation()
  const authors = [...new Map(postsBelow(branch).map(({ author }) => [author.id, author])).values()].slice(
    0,
    3,
  )
  return (
    <details>
      <summary class="fold">
        <span class="stack">
          {authors.map(({ avatarUrl }) => (
            <img
              class="avatar xs"
              src={smallAvatar(avatarUrl)}
              alt=""
              width="20"
              height="20"
              loading="lazy"
            />
          ))}
        </span>
        <span>
          {t('client.countRepliesByNames', {
            count: sizeBelow(branch),
            names: authors.map(({ name }) => name).join(', '),
          })}
        </span>
      </summary>
      <Branches branches={branch.branches} level={level} />
    </details>
  )
}

function Branches({ branches, level }: { readonly branches: readonly Branch[]; readonly level: number }) {
  const t = useTranslation()
  return (
    <ul class="branch">
      {branches.map((branch) => (
        <li>
          <Post post={branch.post} />
          {branch.branches.length > 0 &&
            (level < mostLevels ? (
              sizeBelow(branch) > mostUnfolded && level > 1 ? (
                <FoldedReplies branch={branch} level={level + 1} />
              ) : (
                <Branches branches={branch.branches} level={level + 1} />
              )
            ) : (
              <a class="fold" href={branch.post.path}>
                {t('client.continueThisConversationReplyOtherReplies', {
                  count: sizeBelow(branch),
                })}
              </a>
            ))}
        </li>
      ))}
    </ul>
  )
}
