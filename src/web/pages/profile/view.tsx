import type { Imported } from '../../../domain/statuses/archived/find-imports'
import { Banner } from '../../components/banner'
import { Day } from '../../components/day'
import { EmojiText } from '../../components/emoji-text'
import type { AboutLinks } from '../../components/head'
import { ImportedPosts } from '../../components/import-note'
import { Layout } from '../../components/layout'
import { MediaGallery } from '../../components/media-gallery'
import { type FeedAddresses, FeedLinks, PageLinks } from '../../components/page-links'
import { Prose } from '../../components/prose'
import { StatusCard } from '../../components/status-card'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { remoteFollowPath } from '../../paths'
import type { AuthorView, StatusView } from '../../status-view-model'
import { type ProfileTab, ProfileTabs, suffixOf } from './tabs'

export interface ProfileView {
  readonly author: AuthorView
  readonly username: string
  /** The account of the viewer. */
  readonly isOwner: boolean
  readonly headerUrl: string
  readonly headerDescription: string
  readonly avatarDescription: string
  /** Sanitised. */
  readonly noteHtml: string
  /** For link previews. */
  readonly noteText: string
  readonly fields: readonly { readonly name: string; readonly html: string; readonly isVerified: boolean }[]
  /** Featured hashtags, and how many posts of the account carry each. */
  readonly tags: readonly { readonly name: string; readonly url: string; readonly posts: number }[]
  /** Imports of posts visible to everyone. */
  readonly imports: readonly Imported[]
  readonly isBot: boolean
  readonly isLocked: boolean
  readonly isMemorial: boolean
  readonly movedTo: { readonly handle: string; readonly url: string } | null
  readonly joinedAt: Date
  readonly statuses: number
  /** Null where the account hides its follows. */
  readonly following: number | null
  readonly followers: number | null
}

export interface ProfilePageProps {
  readonly about: AboutLinks
  readonly profile: ProfileView
  /** Pinned statuses, on the first page only. */
  readonly pinned: readonly StatusView[]
  readonly statuses: readonly StatusView[]
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
  const { about, profile, tab, tagged, olderUrl, isContinued, isIndexable, feeds } = props
  const { author } = profile
  const isPart = isContinued || tab !== 'posts'
  const preview = {
    kind: 'profile' as const,
    url: about.url,
    imageUrl: author.avatarUrl,
    description:
      profile.noteText === ''
        ? t('profile.handleOnSite', { handle: author.handle, site: site.title })
        : profile.noteText,
  }
  const title = `${author.name} (${author.handle})`
  return (
    <Layout
      title={title}
      heading={<EmojiText text={author.name} emojis={author.emojis} />}
      about={about}
      preview={preview}
      feeds={feeds}
      isPrivate={!isIndexable || isPart}
    >
      <ProfileHead profile={profile} />
      <ProfileTabs url={about.url} current={tab} />
      <ProfileList {...props} />
      <PageLinks newestUrl={isContinued || tagged !== null ? listUrl(props) : null} olderUrl={olderUrl} />
      {feeds !== null && <FeedLinks feeds={feeds} />}
    </Layout>
  )
}

/** First page of the list that is shown; that of all posts for a hashtag. */
function listUrl({ about, tab }: ProfilePageProps): string {
  return about.url + suffixOf(tab ?? 'posts')
}

function ProfileList({ pinned, statuses, tab, tagged, isContinued }: ProfilePageProps) {
  const t = useTranslation()
  return (
    <section class="status-list" aria-labelledby="statuses">
      <h2 id="statuses" class={tagged === null ? 'hidden' : undefined}>
        <ListTitle tab={tab} tagged={tagged} isContinued={isContinued} />
      </h2>
      {statuses.length + pinned.length === 0 && (
        <p class="quiet small">{t('profile.nothingHereEverybodyMay')}</p>
      )}
      {pinned.map((status) => (
        <StatusCard status={status} isPinned />
      ))}
      {tab === 'media' ? (
        <MediaGallery statuses={statuses} />
      ) : (
        statuses.map((status) => <StatusCard status={status} />)
      )}
    </section>
  )
}

function ListTitle({ tab, tagged, isContinued }: Pick<ProfilePageProps, 'tab' | 'tagged' | 'isContinued'>) {
  const t = useTranslation()
  if (tab === 'media') return <>{t('common.media')}</>
  if (tagged === null) return <>{t(isContinued ? 'common.olderPosts' : 'field.posts')}</>
  const tag = `#${tagged}`
  return <>{isContinued ? t('profile.olderPostsTag', { tag }) : t('profile.postsWithTag', { tag })}</>
}

function ProfileHead({ profile }: { profile: ProfileView }) {
  const t = useTranslation()
  const { author, headerUrl, headerDescription, avatarDescription, noteHtml, movedTo } = profile
  return (
    <section class="block profile" aria-labelledby="name">
      <img class="profile-header" src={headerUrl} alt={headerDescription} width="1500" height="500" />
      <div class="profile-body">
        <img class="avatar" src={author.avatarUrl} alt={avatarDescription} width="96" height="96" />
        <div class="profile-name">
          <div>
            <h2 id="name">
              <EmojiText text={author.name} emojis={author.emojis} />
            </h2>
            <p class="quiet small">
              <bdi>{author.handle}</bdi> {profile.isBot && <span class="tag">{t('profile.bot')}</span>}{' '}
              {profile.isLocked && <span class="tag">{t('profile.approvesFollowers')}</span>}
            </p>
          </div>
          <FollowButton profile={profile} />
        </div>
        {movedTo !== null && (
          <Banner kind="info">
            <p>
              {t.rich('profile.movedToHandle', {
                handle: <bdi>{movedTo.handle}</bdi>,
                link: (words) => (
                  <a href={movedTo.url} rel="noopener">
                    {words}
                  </a>
                ),
              })}
            </p>
          </Banner>
        )}
        {profile.isMemorial && (
          <Banner kind="info">
            <p>{t('profile.memoryName', { name: author.name })}</p>
          </Banner>
        )}
        {noteHtml !== '' && <Prose html={noteHtml} />}
        <ProfileFields profile={profile} />
        <FeaturedTags profile={profile} />
        <ImportedPosts imports={profile.imports} />
        <ProfileNumbers profile={profile} />
      </div>
    </section>
  )
}

/** Leads visitors to their server, and signed-in people to the page where they follow; neither from one's own profile. */
function FollowButton({ profile: { username, isOwner, isMemorial, movedTo } }: { profile: ProfileView }) {
  const t = useTranslation()
  if (isOwner || isMemorial || movedTo !== null) return null
  return (
    <a class="button main" href={remoteFollowPath(username)} rel="nofollow">
      {t('common.follow')}
    </a>
  )
}

function ProfileFields({ profile: { fields, joinedAt } }: { profile: ProfileView }) {
  const t = useTranslation()
  return (
    <dl class="profile-fields">
      {fields.map(({ name, html, isVerified }) => (
        <div>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd class="profile-value">
            <Prose html={html} />
            {isVerified && <span class="tag ok">{t('common.verified')}</span>}
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('profile.joined')}</dt>
        <dd>
          <Day at={joinedAt} />
        </dd>
      </div>
    </dl>
  )
}

function FeaturedTags({ profile: { tags } }: { profile: ProfileView }) {
  const t = useTranslation()
  if (tags.length === 0) return null
  return (
    <section aria-labelledby="featured">
      <h2 id="featured" class="featured-title">
        {t('common.featuredHashtags')}
      </h2>
      <ul class="chips">
        {tags.map(({ name, url, posts }) => (
          <li>
            <a class="chip" href={url}>
              <bdi>#{name}</bdi> <span class="quiet small">{t('common.count', { count: posts })}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ProfileNumbers({ profile: { statuses, following, followers } }: { profile: ProfileView }) {
  const t = useTranslation()
  const numbers = [
    { label: 'common.posts', value: statuses },
    { label: 'profile.following', value: following },
    { label: 'profile.followers', value: followers },
  ] as const
  return (
    <dl class="numbers">
      {numbers.map(
        ({ label, value }) =>
          value !== null && (
            <div>
              <dt>{t(label)}</dt>
              <dd>{t('common.count', { count: value })}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
