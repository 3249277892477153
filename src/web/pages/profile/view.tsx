import { EmojiText } from '../../components/emoji-text'
import type { AboutLinks } from '../../components/head'
import { VisitorView } from '../../components/layout'
import { type FeedAddresses, FeedLinks, PageLinks } from '../../components/page-links'
import { Empty } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { ProfileHead, type ProfileHeadProps } from '../../people/profile-head'
import { Feed } from '../../posts/feed'
import type { PostView } from '../../posts/post-view'
import { type ProfileTab, ProfileTabs, suffixOf } from './tabs'

export interface ProfilePageProps {
  readonly about: AboutLinks
  readonly head: ProfileHeadProps
  /** For link previews. */
  readonly text: string
  /** Pinned statuses, on the first page only. */
  readonly pinned: readonly PostView[]
  readonly posts: readonly PostView[]
  /** The list shown; null for that of a hashtag. */
  readonly tab: ProfileTab | null
  /** The hashtag they all carry, where that was asked for. */
  readonly tagged: string | null
  /** Page of older statuses; null at the end. */
  readonly olderUrl: string | null
  /** Reading began further down than at the newest. */
  readonly isContinued: boolean
  readonly isIndexable: boolean
  /** Null where programs without an account read nothing. */
  readonly feeds: FeedAddresses | null
}

/** A local account as visitors may see it, with one of its lists of statuses. */
export function ProfilePage(props: ProfilePageProps) {
  const t = useTranslation()
  const { site } = usePage()
  const { about, head, tab, tagged, pinned, posts, olderUrl, isContinued, isIndexable, feeds } = props
  const { profile } = head
  const isPart = isContinued || tab !== 'posts'
  const preview = {
    kind: 'profile' as const,
    url: about.url,
    imageUrl: profile.avatarUrl,
    description:
      props.text === ''
        ? t('profile.handleOnSite', { handle: profile.fullHandle, site: site.title })
        : props.text,
  }
  const title = `${profile.name} (${profile.fullHandle})`
  return (
    <VisitorView
      title={title}
      heading={<EmojiText text={profile.name} emojis={profile.emojis} />}
      line={t('client.person.postsInWords', { count: profile.counts.posts })}
      about={about}
      preview={preview}
      feeds={feeds}
      isPrivate={!isIndexable || isPart}
    >
      <ProfileHead {...head} />
      <ProfileTabs url={about.url} current={tab} />
      <h3 class={tagged === null ? 'hidden' : 'pad'}>
        <ListTitle tab={tab} tagged={tagged} isContinued={isContinued} />
      </h3>
      {posts.length + pinned.length === 0 ? (
        <Empty title={t('profile.nothingHereEverybodyMay')} />
      ) : (
        <Feed label={t('client.person.postsByName', { name: profile.name })} posts={posts} pinned={pinned} />
      )}
      <PageLinks newestUrl={isContinued || tagged !== null ? listUrl(props) : null} olderUrl={olderUrl} />
      {feeds !== null && <FeedLinks feeds={feeds} />}
    </VisitorView>
  )
}

/** First page of the list that is shown; that of all posts for a hashtag. */
function listUrl({ about, tab }: ProfilePageProps): string {
  return about.url + suffixOf(tab ?? 'posts')
}

function ListTitle({ tab, tagged, isContinued }: Pick<ProfilePageProps, 'tab' | 'tagged' | 'isContinued'>) {
  const t = useTranslation()
  if (tab === 'media') return <>{t('common.media')}</>
  if (tagged === null) return <>{t(isContinued ? 'common.olderPosts' : 'field.posts')}</>
  const tag = `#${tagged}`
  return <>{isContinued ? t('profile.olderPostsTag', { tag }) : t('profile.postsWithTag', { tag })}</>
}
