import type { Child } from 'hono/jsx'
import { smallAvatar } from '../../contract/small-avatars'
import type { TextKey } from '../../lib/translate'
import { EmojiText } from '../components/emoji-text'
import { Icon, type IconName } from '../components/icon'
import { useTranslation } from '../i18n/context'
import { Age } from './age'
import { usePosts } from './context'
import type { GroupView, KnownType } from './notification-view'
import { Post } from './post'
import type { PersonView, PostView } from './post-view'

export interface NotificationGroupViewProps {
  readonly group: GroupView
  readonly isUnread: boolean
}

/** Kinds whose post is shown whole, to be answered in place. */
const whole: ReadonlySet<KnownType | null> = new Set(['mention', 'quote', 'status'])

const icons: Readonly<Record<KnownType, IconName>> = {
  mention: 'at-sign',
  status: 'bell',
  quote: 'quote',
  reblog: 'repeat-2',
  favourite: 'star',
  follow: 'user-plus',
  follow_request: 'user-plus',
  poll: 'chart-bar',
  update: 'pencil',
  quoted_update: 'pencil',
  'admin.sign_up': 'user-plus',
}

/** An entry of the notifications. */
export function NotificationGroupView({ group, isUnread }: NotificationGroupViewProps) {
  const { type, post } = group
  if (post !== null && whole.has(type)) return <WholePost group={group} post={post} isUnread={isUnread} />
  return <Entry group={group} isUnread={isUnread} />
}

function WholePost({ group, post, isUnread }: NotificationGroupViewProps & { readonly post: PostView }) {
  const { type } = group
  return (
    <div class={isUnread ? 'noted unread' : 'noted'} data-entry={group.newestId}>
      <p class="why pad-why">
        <Icon name={type === null ? 'bell' : icons[type]} isSmall />
        <span>
          <Sentence group={group} />
        </span>
        {isUnread && <Unread />}
      </p>
      <Post post={post} />
    </div>
  )
}

function Entry({ group, isUnread }: NotificationGroupViewProps) {
  const { type, people, post, at } = group
  const { now } = usePosts()
  return (
    <article
      class={isUnread ? 'group unread' : 'group'}
      id={`n-${group.newestId}`}
      data-entry={group.newestId}
    >
      <Icon name={type === null ? 'bell' : icons[type]} />
      <div>
        {people.length > 1 && <Faces people={people} />}
        <div class="top">
          <p>
            <Sentence group={group} />
            {isUnread && <Unread />}
          </p>
          <span class="quiet small">
            <Age at={at} now={now} />
          </span>
        </div>
        {post !== null && (
          <a class="said" href={post.path} dir="auto">
            {post.warning ?? post.headline ?? `@${post.author.acct}`}
          </a>
        )}
      </div>
    </article>
  )
}

function Unread() {
  const t = useTranslation()
  return <span class="hidden"> {t('client.unread')}</span>
}

function Faces({ people }: { readonly people: readonly PersonView[] }) {
  return (
    <span class="stack">
      {people.map((person) => (
        <a href={person.path}>
          <img
            class="avatar s"
            src={smallAvatar(person.avatarUrl)}
            alt={person.name}
            width="32"
            height="32"
            loading="lazy"
          />
        </a>
      ))}
    </span>
  )
}

function Sentence({ group }: { readonly group: GroupView }): Child {
  const t = useTranslation()
  const { type, people, count, sentence } = group
  const [person] = people
  if (type === null || person === undefined) return <>{sentence}</>
  const values = {
    others: count - 1,
    person: (words: Child[]) => <a href={person.path}>{words}</a>,
    name: <EmojiText text={person.name} emojis={person.emojis} />,
  }
  return <>{t.rich(sentences[type], values)}</>
}

const sentences: Readonly<Record<KnownType, TextKey>> = {
  mention: 'client.nameMentionedYou',
  status: 'client.namePosted',
  quote: 'client.nameQuotedYou',
  reblog: 'client.personNameAndOtherBoostedYour',
  favourite: 'client.personNameAndOtherFavouritedYour',
  follow: 'client.personNameAndOtherFollowedYou',
  follow_request: 'client.nameAsksToFollowYou',
  poll: 'client.aPollByNameHasEnded',
  update: 'client.nameEditedAPostYouBoosted',
  quoted_update: 'client.nameEditedAPostYouQuoted',
  'admin.sign_up': 'client.personNameAndOtherSignedUp',
}
