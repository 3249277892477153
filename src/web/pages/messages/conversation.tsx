import { combineQueries, type Query } from '../../../db/query'
import { oneConversation } from '../../../domain/conversations/entries'
import { conversationStatuses } from '../../../domain/conversations/find'
import type { ViewerRef } from '../../../domain/core/viewer'
import { NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { type ConversationBundle, loadConversations } from '../../../view/load/conversations'
import { loadStatuses, type StatusBundle } from '../../../view/load/statuses'
import { presentStatuses } from '../../../view/present/status'
import { presentOnlyConversation } from '../../../view/present/timelines'
import { CsrfField } from '../../components/form'
import { Icon } from '../../components/icon'
import { MenuButton, MenuLink } from '../../components/menu-rows'
import { Shell, ViewHead } from '../../components/shell'
import { errorText, type PageError } from '../../error-texts'
import { useTranslation } from '../../i18n/context'
import { takeDraft } from '../../member-pages/draft'
import { notYetSent } from '../../member-pages/handle'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { type MemberFrame, showMemberView } from '../../member-view'
import { useTypedForm } from '../../page-context'
import { lastCursor, pageBehind, parseMaxId } from '../../pagination'
import { conversationPath, paths } from '../../paths'
import { composePaths, postActPath } from '../../posts/acts'
import { type PostView, postView } from '../../posts/post-view'
import { Names } from './list'
import { Talk } from './talk'
import { type ConversationView, conversationView, messageView } from './view'

const pageSize = 30

export interface FoundConversation {
  readonly conversation: ConversationBundle
  readonly said: StatusBundle
}

/** Loads a conversation of the member with a page of its messages. */
export function readConversation(
  ctx: Ctx,
  as: ViewerRef,
  { id, maxId }: { readonly id: number; readonly maxId: number | undefined },
): Query<FoundConversation> {
  const request = { id, now: ctx.clock.now() }
  return combineQueries({
    conversation: loadConversations(ctx, as, oneConversation(as, id)),
    said: loadStatuses(ctx, as, conversationStatuses(as, request, { limit: pageSize, maxId })),
  })
}

/** A form as it was sent, with what was wrong; nothing of a page that was only opened. */
export interface TypedMessage {
  readonly text: string
  /** Makes a repeated form one message. */
  readonly key: string
  readonly problems: readonly PageError[]
}

export async function showConversation(c: AppContext): Promise<Response> {
  const id = requireIdInPath(c)
  const maxId = parseMaxId(c)
  return showMemberView(c, {
    read: (ctx, as) => readConversation(ctx, as, { id, maxId }),
    show: async (frame, found) => {
      const draft = await takeDraft(c, conversationPath(id))
      const key = c.get('ctx').random.token()
      const typed: TypedMessage =
        draft === null
          ? { text: '', key, problems: [] }
          : { text: draft.form('status'), key: draft.form('key'), problems: [notYetSent] }
      return conversationMarkup(c, frame, { found, typed })
    },
  })
}

/** The page of a conversation. `NotFound` for one that the member does not have. */
export function conversationMarkup(
  c: AppContext,
  frame: MemberFrame,
  { found, typed }: { readonly found: FoundConversation; readonly typed: TypedMessage },
) {
  const { config } = c.get('ctx')
  const showing = { config, now: frame.now }
  const { accountId } = frame.session
  const conversation = conversationView(
    config,
    presentOnlyConversation(showing, found.conversation),
    accountId,
  )
  if (conversation === null) throw new NotFound()
  const posts = presentStatuses(showing, found.said).map((one) =>
    messageView(postView(config, one, accountId)),
  )
  const olderUrl = pageBehind(conversationPath(conversation.id), lastCursor(found.said, pageSize))
  return (
    <ConversationPage
      now={frame.now}
      conversation={conversation}
      posts={posts}
      olderUrl={olderUrl}
      typed={typed}
    />
  )
}

export interface ConversationPageProps {
  readonly now: Date
  readonly conversation: ConversationView
  readonly posts: readonly PostView[]
  readonly olderUrl: string | null
  readonly typed: TypedMessage
}

export function ConversationPage({ conversation, posts, olderUrl, typed, now }: ConversationPageProps) {
  const { names, people, last } = conversation
  const t = useTranslation()
  const isAlone = people.length === 1 && people[0]?.id === last.author.id && last.state?.isOwn === true
  const acct = people.length === 1 ? people[0]?.acct : undefined
  return (
    <Shell title={`${names}, ${t('client.messages')}`} place="messages" isPrivate isTask>
      <ViewHead
        title={names}
        line={acct === undefined ? undefined : <span class="ltr">@{acct}</span>}
        back={paths.conversations}
      >
        <ReadMark conversation={conversation} />
        <ConversationMenu conversation={conversation} />
      </ViewHead>
      <div
        class="talk"
        role="log"
        aria-label={t('client.messages')}
        data-conversation={conversation.id}
        data-stream={JSON.stringify([{ stream: 'direct' }])}
      >
        <p class="note">
          <Icon name="lock" />
          <span>
            {isAlone
              ? t('client.onlyYouSeeThis')
              : t.rich('client.onlyYouAndNamesSeeThis', { names: <Names people={people} /> })}{' '}
            {t('client.notEncrypted')}
          </span>
        </p>
        {olderUrl !== null && (
          <p>
            <a class="button low" href={olderUrl} rel="next">
              {t('client.earlierMessages')}
            </a>
          </p>
        )}
        <Talk posts={posts} now={now} />
      </div>
      <ReplyForm conversation={conversation} typed={typed} />
    </Shell>
  )
}

/** The button that marks a conversation as read; scripts press it when the page is seen. */
function ReadMark({ conversation: { id, isUnread } }: { readonly conversation: ConversationView }) {
  const t = useTranslation()
  if (!isUnread) return null
  return (
    <form method="post" action={conversationPath(id, '/read')} data-mark-read={id}>
      <CsrfField />
      <input type="hidden" name="return_to" value={conversationPath(id)} />
      <button type="submit" class="plain" aria-label={t('client.markAsRead')} title={t('client.markAsRead')}>
        <Icon name="check" />
      </button>
    </form>
  )
}

function ConversationMenu({ conversation: { id, last } }: { readonly conversation: ConversationView }) {
  const t = useTranslation()
  const isMuted = last.state?.muted === true
  return (
    <details class="menu">
      <summary class="plain" aria-label={t('client.moreAboutThisConversation')}>
        <Icon name="ellipsis" />
      </summary>
      <form class="sheet" method="post" action={postActPath(last.id)}>
        <CsrfField />
        <input type="hidden" name="return_to" value={conversationPath(id)} />
        <MenuButton
          icon="volume-x"
          act={isMuted ? 'unmute' : 'mute'}
          label={isMuted ? t('client.unmuteThisConversation') : t('client.muteThisConversation')}
        />
        <hr />
        <MenuLink
          icon="trash-2"
          href={conversationPath(id, '/delete')}
          label={t('client.deleteForYou')}
          isDangerous
        />
      </form>
    </details>
  )
}

interface ReplyFormProps {
  readonly conversation: ConversationView
  readonly typed: TypedMessage
}

function ReplyForm({ conversation: { id, names, last }, typed }: ReplyFormProps) {
  const typing = useTypedForm()
  const t = useTranslation()
  const label = t('client.messageToNames', { names })
  const { text, key, problems } = typed
  return (
    <form class="say" method="post" action={conversationPath(id)} {...typing}>
      <CsrfField />
      <input type="hidden" name="key" value={key} />
      {problems.length > 0 && (
        <p class="note danger" role="alert" id="say-problem">
          <Icon name="triangle-alert" />
          <span>{problems.map((one) => errorText(t, one)).join(' ')}</span>
        </p>
      )}
      <a class="plain" href={composePaths.reply(last.id)} aria-label={t('client.addAPicture')}>
        <Icon name="image" />
      </a>
      <textarea
        class="input"
        name="status"
        rows={1}
        required
        dir="auto"
        aria-label={label}
        placeholder={t('client.newMessage')}
        aria-describedby={problems.length > 0 ? 'say-problem' : undefined}
      >
        {text}
      </textarea>
      <button type="submit" class="button main">
        {t('client.send')}
      </button>
    </form>
  )
}
