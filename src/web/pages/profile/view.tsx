import { Banner } from '../../components/banner'
import { Day } from '../../components/day'
import { EmojiText } from '../../components/emoji-text'
import { type FeedAddresses, FeedLinks } from '../../components/feed-links'
import { type AboutLinks, Layout } from '../../components/layout'
import { PageLinks } from '../../components/page-links'
import { Prose } from '../../components/prose'
import { StatusCard } from '../../components/status-card'
import type { PageProps } from '../../site'
import type { AuthorView, StatusView } from '../../status-view-model'

export interface ProfileView {
  readonly author: AuthorView
  readonly headerUrl: string
  readonly headerDescription: string
  readonly avatarDescription: string
  /** Sanitised. */
  readonly noteHtml: string
  /** For link previews. */
  readonly noteText: string
  readonly fields: readonly { readonly name: string; readonly html: string; readonly isVerified: boolean }[]
  readonly isBot: boolean
  readonly isLocked: boolean
  readonly isMemorial: boolean
  readonly movedTo: { readonly handle: string; readonly url: string } | null
  readonly joinedAt: Date
  readonly statuses: number
  /** Null where the person hides whom they know. */
  readonly following: number | null
  readonly followers: number | null
}

export interface ProfilePageProps extends PageProps {
  readonly about: AboutLinks
  readonly profile: ProfileView
  readonly statuses: readonly StatusView[]
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

/** A local account as visitors may see it, and its statuses without replies. */
export function ProfilePage(props: ProfilePageProps) {
  const { site, viewer, about, profile, statuses, tagged, olderUrl, isContinued, isIndexable, feeds } = props
  const { author } = profile
  const isPart = isContinued || tagged !== null
  const preview = {
    kind: 'profile' as const,
    url: about.url,
    imageUrl: author.avatarUrl,
    description: profile.noteText === '' ? `${author.handle} on ${site.title}` : profile.noteText,
  }
  const title = `${author.name} (${author.handle})`
  return (
    <Layout
      site={site}
      viewer={viewer}
      title={title}
      about={about}
      preview={preview}
      feeds={feeds}
      width="text"
      isPrivate={!isIndexable || isPart}
    >
      <ProfileHead profile={profile} />
      <section class="status-list" aria-labelledby="statuses">
        <h2 id="statuses">
          {isContinued ? 'Older posts' : 'Posts'}
          {tagged !== null && ` with #${tagged}`}
        </h2>
        {statuses.length === 0 && <p class="muted">Nothing here that everybody may see.</p>}
        {statuses.map((status) => (
          <StatusCard status={status} />
        ))}
      </section>
      <PageLinks newestUrl={isPart ? about.url : null} olderUrl={olderUrl} />
      {feeds !== null && <FeedLinks feeds={feeds} />}
    </Layout>
  )
}

function ProfileHead({ profile }: { profile: ProfileView }) {
  const { author, headerUrl, headerDescription, avatarDescription, noteHtml, movedTo } = profile
  return (
    <section class="card profile" aria-labelledby="name">
      <img class="profile-header" src={headerUrl} alt={headerDescription} width="1500" height="500" />
      <div class="profile-body">
        <img class="avatar" src={author.avatarUrl} alt={avatarDescription} width="96" height="96" />
        <div>
          <h1 id="name">
            <EmojiText text={author.name} emojis={author.emojis} />
          </h1>
          <p class="muted">
            {author.handle} {profile.isBot && <span class="badge">bot</span>}{' '}
            {profile.isLocked && <span class="badge">approves followers</span>}
          </p>
        </div>
        {movedTo !== null && (
          <Banner kind="info">
            <p>
              Moved to{' '}
              <a href={movedTo.url} rel="noopener">
                {movedTo.handle}
              </a>
            </p>
          </Banner>
        )}
        {profile.isMemorial && (
          <Banner kind="info">
            <p>In memory of {author.name}.</p>
          </Banner>
        )}
        {noteHtml !== '' && <Prose html={noteHtml} />}
        <ProfileFields profile={profile} />
        <ProfileNumbers profile={profile} />
      </div>
    </section>
  )
}

function ProfileFields({ profile: { fields, joinedAt } }: { profile: ProfileView }) {
  return (
    <dl class="profile-fields">
      {fields.map(({ name, html, isVerified }) => (
        <div>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd class="profile-value">
            <Prose html={html} />
            {isVerified && <span class="badge badge-success">verified</span>}
          </dd>
        </div>
      ))}
      <div>
        <dt>Joined</dt>
        <dd>
          <Day at={joinedAt} />
        </dd>
      </div>
    </dl>
  )
}

const count = new Intl.NumberFormat('en')

function ProfileNumbers({ profile: { statuses, following, followers } }: { profile: ProfileView }) {
  const numbers = [
    { label: 'posts', value: statuses },
    { label: 'following', value: following },
    { label: 'followers', value: followers },
  ]
  return (
    <dl class="numbers">
      {numbers.map(
        ({ label, value }) =>
          value !== null && (
            <div>
              <dt>{label}</dt>
              <dd>{count.format(value)}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
