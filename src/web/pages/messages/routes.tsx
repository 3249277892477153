import { Hono } from 'hono'
import { execute } from '../../../db/query'
import { markConversation, oneConversation, removeConversation } from '../../../domain/conversations/entries'
import { anonymousViewer, type Viewer, viewerById } from '../../../domain/core/viewer'
import { createStatus } from '../../../domain/statuses/create'
import { preferencesOf } from '../../../domain/users/defaults'
import { AppError, NotFound } from '../../../errors'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadConversations } from '../../../view/load/conversations'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { presentOnlyConversation } from '../../../view/present/timelines'
import { CsrfField } from '../../components/form'
import { Shell, ViewHead } from '../../components/shell'
import { readCsrfFields } from '../../csrf'
import { useTranslation } from '../../i18n/context'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { detourOf, showInShell, showMemberView } from '../../member-view'
import { openPage } from '../../page-request'
import { conversationPath, paths } from '../../paths'
import { keepUntilSignIn } from '../../unsent-form'
import { memberViewer } from '../interact/member-viewer'
import { act } from '../timelines/acts'
import { conversationMarkup, readConversation, showConversation } from './conversation'
import { showConversations } from './list'
import { type ConversationView, conversationView } from './view'

/** Direct posts of a member, grouped by participants. */
export function messageRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const one = `${paths.conversations}/:id{[0-9]{1,16}}`
  app.get(paths.conversations, showConversations)
  app.get(one, showConversation)
  app.post(one, send)
  app.post(`${one}/read`, (c) =>
    act(c, (ctx, viewer) => markConversation(ctx, viewer, { id: requireIdInPath(c), unread: false })),
  )
  app.get(`${one}/delete`, showQuestion)
  app.post(`${one}/delete`, (c) =>
    act(c, (ctx, viewer) => removeConversation(ctx, viewer, requireIdInPath(c))),
  )
  return app
}

/** Sends a message: a direct post that answers the last one and mentions the others. Shows the form again if refused. */
async function send(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  const id = requireIdInPath(c)
  const path = conversationPath(id)
  const visit = await openPage(c)
  const { session } = visit
  const isKept = session === null && visit.restricted === null
  const { form } = await readCsrfFields(c, visit, { isKept })
  if (session === null) {
    return keepUntilSignIn(c, visit, { path, action: path, names: ['status', 'key'], form })
  }
  const detour = await detourOf(c, visit, session)
  if (detour !== null) return detour
  const viewer = await memberViewer(ctx, session.accountId)
  const found = await execute(ctx.db, readConversation(ctx, viewerById(viewer.id), { id, maxId: undefined }))
  const [text, key] = [form('status'), form('key').slice(0, 100)]
  const frame = { session, now: ctx.clock.now() }
  const [talk] = found.conversation.conversations
  // The conversation is over: what was typed goes on in a new post.
  if (talk === undefined)
    return c.redirect(`${paths.publish}?${new URLSearchParams({ visibility: 'direct', text })}`, 303)
  try {
    const entity = presentOnlyConversation({ config: ctx.config, now: frame.now }, found.conversation)
    const conversation = conversationView(ctx.config, entity, viewer.id)
    if (conversation === null) throw new NotFound()
    const sent = await sendMessage(ctx, viewer, { conversation, text, key })
    return c.redirect(`${path}#p-${sent}`, 303)
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure
    const typed = { text, key, problems: failure.problems }
    return showInShell(c, visit, conversationMarkup(c, frame, { found, typed }), {
      status: failure.status === 401 || failure.status === 404 ? 422 : failure.status,
    })
  }
}

interface Message {
  readonly conversation: ConversationView
  readonly text: string
  readonly key: string
}

async function sendMessage(
  ctx: Ctx,
  viewer: Viewer,
  { conversation: { people, last }, text, key }: Message,
): Promise<string> {
  await ctx.throttle.take('statuses', String(viewer.id))
  const others = people.filter((person) => person.id !== String(viewer.id))
  const mentions = others.map(({ acct }) => `@${acct} `).join('')
  const made = await createStatus(ctx, viewer, {
    draft: {
      // Without words there is nothing to send: mentions alone would make it a post.
      text: text.trim() === '' ? '' : mentions + text,
      spoilerText: '',
      visibility: 'direct',
      language: undefined,
      inReplyToId: Number(last.id),
      quotedId: undefined,
      mediaIds: [],
      poll: undefined,
      quotePolicy: preferencesOf(viewer).quotePolicy,
      localOnly: last.isLocalOnly,
    },
    key: key === '' ? null : `web ${key}`,
    read: (id) => loadStatuses(ctx, anonymousViewer, statusesById([id])),
  })
  return String(made.kind === 'new' ? made.id : made.post.id)
}

function showQuestion(c: AppContext): Promise<Response> {
  const { config } = c.get('ctx')
  return showMemberView(c, {
    read: (ctx, as) => loadConversations(ctx, as, oneConversation(as, requireIdInPath(c))),
    show: (frame, found) => {
      const entity = presentOnlyConversation({ config, now: frame.now }, found)
      const conversation = conversationView(config, entity, frame.session.accountId)
      if (conversation === null) throw new NotFound()
      return <DeletePage conversation={conversation} />
    },
  })
}

export interface DeletePageProps {
  readonly conversation: ConversationView
}

export function DeletePage({ conversation: { id, names } }: DeletePageProps) {
  const t = useTranslation()
  const title = t('client.deleteConversationQuestion')
  return (
    <Shell title={title} place="messages" isPrivate>
      <ViewHead title={title} line={names} back={conversationPath(id)} />
      <form class="form" method="post" action={conversationPath(id, '/delete')}>
        <CsrfField />
        <input type="hidden" name="return_to" value={paths.conversations} />
        <p>{t('client.deleteConversationEffect', { names })}</p>
        <p class="two">
          <button type="submit" class="button danger">
            {t('client.deleteForYou')}
          </button>
          <a class="button" href={conversationPath(id)}>
            {t('common.cancel')}
          </a>
        </p>
      </form>
    </Shell>
  )
}
