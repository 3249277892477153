import type { Child } from 'hono/jsx'
import { smallAvatar } from '../../contract/small-avatars'
import type { Imported } from '../../domain/statuses/archived/find-imports'
import { Day } from '../components/day'
import { EmojiText } from '../components/emoji-text'
import { Icon } from '../components/icon'
import { ImportedPosts } from '../components/import-note'
import { Prose } from '../components/prose'
import { useTranslation } from '../i18n/context'
import { remoteFollowPath } from '../paths'
import { usePosts } from '../posts/context'
import type { PersonView } from '../posts/post-view'
import { personPagePath, writePaths } from './acts'
import { ProfileMenu } from './profile-menu'
import type { Hiding, Profile, ShownProfile } from './profile-view'
import { PersonForm, RelationButton } from './relation-button'

export interface ProfileHeadProps {
  readonly profile: ShownProfile
  /** Featured hashtags, and how many posts of the account carry each. */
  readonly tags: readonly { readonly name: string; readonly posts: number }[]
  readonly imports: readonly Imported[]
  /** Followers that the member follows, and their number. */
  readonly familiar: { readonly people: readonly PersonView[]; readonly count: number }
}

/** Cover, acts, name and text of an account; one sentence instead where they are hidden. */
export function ProfileHead({ profile, tags, imports, familiar }: ProfileHeadProps) {
  const { hiding } = profile
  return (
    <>
      {hiding === null && (
        <div class="cover">
          <img src={profile.headerUrl} alt={profile.headerDescription} width="1500" height="500" />
        </div>
      )}
      <div class={hiding === null ? 'self' : 'self bare'}>
        <div class="first">
          <img
            class="avatar"
            src={profile.avatarUrl}
            alt={profile.avatarDescription}
            width="96"
            height="96"
          />
          {profile.relationship === null ? (
            <FollowFromElsewhere profile={profile} />
          ) : (
            <Acts profile={{ ...profile, relationship: profile.relationship }} />
          )}
        </div>
        <h2>
          <EmojiText text={profile.name} emojis={profile.emojis} />
        </h2>
        <Handle profile={profile} />
        {hiding === null ? (
          <>
            <Moved profile={profile} />
            <Texts profile={profile} />
            <ImportedPosts imports={imports} />
            <Counts profile={profile} />
            <Familiar {...familiar} />
            <Tags profile={profile} tags={tags} />
          </>
        ) : (
          <HiddenProfile profile={profile} hiding={hiding} />
        )}
      </div>
    </>
  )
}

/** Leads visitors to their server, where they follow; not to accounts that nobody can follow. */
function FollowFromElsewhere({ profile: { acct, isMemorial, movedTo } }: { readonly profile: ShownProfile }) {
  const t = useTranslation()
  if (isMemorial || movedTo !== null) return null
  return (
    <div class="do">
      <a class="button main" href={remoteFollowPath(acct)} rel="nofollow">
        {t('common.follow')}
      </a>
    </div>
  )
}

function Acts({ profile }: { readonly profile: Profile }) {
  const t = useTranslation()
  const { id, isOwn, hiding, acct, relationship } = profile
  return (
    <PersonForm id={id} class="do">
      {relationship.following && hiding === null && (
        <button
          type="submit"
          class="button round"
          name="act"
          value={relationship.notifying ? 'unnotify' : 'notify'}
          aria-pressed={relationship.notifying}
          aria-label={t('client.person.notifyMeOfEveryPost')}
        >
          <Icon name="bell" />
        </button>
      )}
      {!isOwn && hiding === null && (
        <a
          class="button round only-wide"
          href={writePaths.message(acct)}
          aria-label={t('client.person.message')}
        >
          <Icon name="mail" />
        </a>
      )}
      <ProfileMenu profile={profile} />
      <RelationButton person={profile} />
    </PersonForm>
  )
}

function Handle({ profile }: { readonly profile: ShownProfile }) {
  const t = useTranslation()
  const tags = [
    ...(profile.followsYou ? [t('client.person.followsYou')] : []),
    ...(profile.isBot ? [t('profile.bot')] : []),
    ...(profile.isLocked ? [t('profile.approvesFollowers')] : []),
    ...profile.roles,
  ]
  return (
    <p class="acct">
      <span class="ltr">{profile.fullHandle}</span>
      {tags.map((words) => (
        <span class="tag">{words}</span>
      ))}
    </p>
  )
}

/** The new account of one that moved, although the member still follows the old one; and a word about the dead. */
function Moved({ profile: { movedTo, isMemorial, name } }: { readonly profile: ShownProfile }): Child {
  const t = useTranslation()
  return (
    <>
      {isMemorial && <p class="note">{t('profile.memoryName', { name })}</p>}
      {movedTo !== null && (
        <p class="note">
          <span>
            {t.rich('profile.movedToHandle', {
              handle: <bdi>@{movedTo.acct}</bdi>,
              link: (words) => <a href={movedTo.path}>{words}</a>,
            })}
          </span>
        </p>
      )}
    </>
  )
}

function Texts({
  profile: { id, noteHtml, relationship, fields, joinedAt },
}: {
  readonly profile: ShownProfile
}) {
  const t = useTranslation()
  const { returnTo } = usePosts()
  return (
    <>
      {noteHtml !== '' && (
        <div class="bio text">
          <Prose html={noteHtml} />
        </div>
      )}
      {relationship !== null && relationship.note !== '' && (
        <div class="private">
          <p class="quiet">
            {t('client.person.yourNote')}{' '}
            <a href={personPagePath(id, 'note', { returnTo })}>
              {t('client.edit')}
              <span class="hidden"> {t('client.person.editYourNote')}</span>
            </a>
          </p>
          <p class="lines" dir="auto">
            {relationship.note}
          </p>
        </div>
      )}
      <dl class="fields">
        {fields.map(({ name, html, isVerified }) => (
          <div>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd class={isVerified ? 'ok' : undefined}>
              {isVerified && (
                <>
                  <Icon name="check" isSmall />
                  <span class="hidden">{t('common.verified')} </span>
                </>
              )}
              <Prose html={html} />
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
    </>
  )
}

function Counts({
  profile: { path, counts, hidesPeople, relationship },
}: {
  readonly profile: ShownProfile
}) {
  const t = useTranslation()
  const number = (words: Child[]) => <b>{words}</b>
  const entries = [
    [path, 'client.person.countPosts', counts.posts],
    [`${path}/following`, 'client.person.countFollowing', counts.following],
    [`${path}/followers`, 'client.person.countFollowers', counts.followers],
  ] as const
  return (
    <p class="counts">
      {entries.map(([href, text, count]) => {
        const words = t.rich(text, { count, number })
        if (href === path) return <a href={href}>{words}</a>
        if (relationship === null) return hidesPeople ? null : <span>{words}</span>
        return hidesPeople ? <span>{words}</span> : <a href={href}>{words}</a>
      })}
    </p>
  )
}

const mostNamed = 2

function Familiar({ people, count }: ProfileHeadProps['familiar']) {
  const t = useTranslation()
  if (people.length === 0) return null
  const named = people.slice(0, mostNamed)
  const names = named.map(({ path, name, emojis }, index) => (
    <>
      {index > 0 && ', '}
      <a href={path}>
        <EmojiText text={name} emojis={emojis} />
      </a>
    </>
  ))
  return (
    <p class="known">
      <span class="stack">
        {people.map(({ avatarUrl }) => (
          <img class="avatar s" src={smallAvatar(avatarUrl)} alt="" width="32" height="32" loading="lazy" />
        ))}
      </span>
      <span>
        {t.rich('client.person.followedByNamesAndOthers', {
          names: <>{names}</>,
          others: count - named.length,
        })}
      </span>
    </p>
  )
}

function Tags({ profile: { path }, tags }: Pick<ProfileHeadProps, 'profile' | 'tags'>) {
  const t = useTranslation()
  if (tags.length === 0) return null
  return (
    <ul class="chips" aria-label={t('common.featuredHashtags')}>
      {tags.map(({ name, posts }) => (
        <li>
          <a class="chip" href={`${path}/tagged/${encodeURIComponent(name)}`}>
            <bdi>#{name}</bdi> <span class="quiet">{t('common.count', { count: posts })}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function HiddenProfile({
  profile: { name, domain, path },
  hiding,
}: {
  profile: ShownProfile
  hiding: Hiding
}) {
  const t = useTranslation()
  const sentences = {
    suspended: t('client.person.suspendedSentence'),
    blocking: t('client.person.blockingSentence', { name }),
    blocked_server: t('client.person.blockedServerSentence', { domain: domain ?? '' }),
    blocked_by: t('client.person.blockedBySentence'),
    limited: t('client.person.limitedSentence'),
  }
  return (
    <div class="note">
      <div>
        <p>{sentences[hiding]}</p>
        {hiding === 'limited' && (
          <p class="links">
            <a href={`${path}?limited=show`}>{t('client.showAnyway')}</a>
          </p>
        )}
      </div>
    </div>
  )
}
