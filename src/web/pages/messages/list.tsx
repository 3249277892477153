import { smallAvatar } from '../../../contract/small-avatars'
import { conversationPage } from '../../../domain/conversations/entries'
import type { AppContext } from '../../../ports/app-env'
import { loadConversations } from '../../../view/load/conversations'
import { presentConversations } from '../../../view/present/timelines'
import { EmojiText } from '../../components/emoji-text'
import { Icon } from '../../components/icon'
import { Empty, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { olderPageUrl, parseMaxId } from '../../pagination'
import { conversationPath, paths } from '../../paths'
import { Age } from '../../posts/age'
import type { PersonView } from '../../posts/post-view'
import { type ConversationView, conversationView, firstWords } from './view'

const pageSize = 20

/** The conversations of a member, the latest first. */
export function showConversations(c: AppContext): Promise<Response> {
  const { config } = c.get('ctx')
  const page = { limit: pageSize, maxId: parseMaxId(c) }
  return showMemberView(c, {
    read: (ctx, as) => loadConversations(ctx, as, conversationPage(as, page)),
    show: (frame, found) => {
      const entities = presentConversations({ config, now: frame.now }, found)
      const conversations = entities.flatMap(
        (one) => conversationView(config, one, frame.session.accountId) ?? [],
      )
      const olderUrl = olderPageUrl(c, found.statuses, pageSize)
      return <ConversationsPage now={frame.now} conversations={conversations} olderUrl={olderUrl} />
    },
  })
}

export interface ConversationsPageProps {
  readonly now: Date
  readonly conversations: readonly ConversationView[]
  readonly olderUrl: string | null
}

export function ConversationsPage({ conversations, olderUrl, now }: ConversationsPageProps) {
  const t = useTranslation()
  const compose = `${paths.publish}?visibility=direct`
  return (
    <Shell title={t('client.messages')} place="messages" isPrivate>
      <ViewHead title={t('client.messages')}>
        <a class="plain" href={compose} aria-label={t('client.newMessage')}>
          <Icon name="feather" />
        </a>
      </ViewHead>
      {conversations.length === 0 ? (
        <Empty title={t('client.noMessagesYet')}>
          <p>{t('client.messagesAppearHere')}</p>
          <a class="button main" href={compose}>
            {t('client.newMessage')}
          </a>
        </Empty>
      ) : (
        <ul class="rows">
          {conversations.map((conversation) => (
            <li>
              <ConversationRow conversation={conversation} now={now} />
            </li>
          ))}
        </ul>
      )}
      {olderUrl !== null && (
        <p class="pad">
          <a class="button" href={olderUrl} rel="next">
            {t('client.olderMessages')}
          </a>
        </p>
      )}
      <div class="pad">
        <div class="note">
          <Icon name="at-sign" />
          <div>{t('client.messagesAreNotEncrypted')}</div>
        </div>
      </div>
    </Shell>
  )
}

interface ConversationRowProps {
  readonly conversation: ConversationView
  readonly now: Date
}

function ConversationRow({ conversation: { id, isUnread, people, last }, now }: ConversationRowProps) {
  const t = useTranslation()
  const words = firstWords(last)
  const shown = words === '' ? t('client.attachmentOtherAttachments', { count: last.media.length }) : words
  return (
    <a
      class={isUnread ? 'row-link is-unread' : 'row-link'}
      href={`${conversationPath(id)}#p-${last.entryId}`}
    >
      <Faces people={people} />
      <span class="names">
        <b class="one">
          <Names people={people} />
        </b>
        <small class="one" dir="auto">
          {last.state?.isOwn === true ? t('client.youSaid', { words: shown }) : shown}
        </small>
      </span>
      <span class="at">
        <span class="quiet small">
          <Age at={last.createdAt} now={now} />
        </span>
        {isUnread && (
          <span class="count dot">
            <span class="hidden">{t('client.unread')}</span>
          </span>
        )}
      </span>
    </a>
  )
}

/** The names of people in one line, with their emojis. */
export function Names({ people }: { readonly people: readonly PersonView[] }) {
  return (
    <>
      {people.map(({ name, emojis }, index) => (
        <>
          {index > 0 && ', '}
          <EmojiText text={name} emojis={emojis} />
        </>
      ))}
    </>
  )
}

/** The face of a person, or those of two of several. */
function Faces({ people }: { readonly people: readonly PersonView[] }) {
  const [first, second] = people
  if (first === undefined) return null
  if (second === undefined) return <Face person={first} />
  return (
    <span class="duo">
      <Face person={first} />
      <Face person={second} />
    </span>
  )
}

export function Face({
  person,
  isSmall = false,
}: {
  readonly person: PersonView
  readonly isSmall?: boolean
}) {
  return (
    <img
      class={isSmall ? 'avatar s' : 'avatar'}
      src={smallAvatar(person.avatarUrl)}
      alt=""
      width="44"
      height="44"
      loading="lazy"
    />
  )
}
