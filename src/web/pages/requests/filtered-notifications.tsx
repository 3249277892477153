import { Hono } from 'hono'
import type { NotificationRequest } from '../../../contract/entities/notification'
import { notificationTypes } from '../../../contract/notification-kinds'
import { combineQueries, execute } from '../../../db/query'
import { selectKnown } from '../../../domain/accounts/find'
import { viewerById } from '../../../domain/core/viewer'
import { notificationPage } from '../../../domain/notifications/find-page'
import {
  acceptRequests,
  dismissRequests,
  type FilteredSender,
  oneRequest,
  requestsOf,
} from '../../../domain/notifications/requests'
import { NotFound } from '../../../errors'
import type { AccountId } from '../../../lib/ids'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadRequests } from '../../../view/load/notification-requests'
import { loadNotificationPage } from '../../../view/load/notifications'
import { presentNotifications } from '../../../view/present/notification'
import { presentRequests } from '../../../view/present/notification-requests'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { showMemberView } from '../../member-view'
import { olderPageUrl, pageBehind, parseMaxId } from '../../pagination'
import { paths } from '../../paths'
import { knownTypes, notificationView } from '../../posts/notification-view'
import { personView, postView } from '../../posts/post-view'
import { act } from '../timelines/acts'
import { FilteredNotificationsPage, FilteredSenderPage, type SenderView } from './filtered-view'

const pageSize = 40

/** Notifications that the policy of a member holds back, by sender: accepted or dismissed one by one or together. */
export function filteredNotificationRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.filteredNotifications, showSenders)
  app.get(`${paths.filteredNotifications}/:id{[0-9]{1,16}}`, showSender)
  app.post(paths.filteredNotifications, (c) =>
    act(c, (ctx, { id }, form) => decide(ctx, id, { ids: idsIn(form('ids')), how: form('act') })),
  )
  app.post(`${paths.filteredNotifications}/:id{[0-9]{1,16}}`, (c) =>
    act(c, (ctx, { id }, form) => decide(ctx, id, { ids: [requireIdInPath(c)], how: form('act') })),
  )
  return app
}

/** The ids of a field, at most as many as a page shows. */
function idsIn(text: string): readonly number[] {
  const named = text.split(',').filter((one) => /^\d{1,16}$/.test(one))
  return named.slice(0, pageSize).map(Number)
}

/** Decides about requests; those that are not there any more are left out, as after two presses. */
async function decide(
  ctx: Ctx,
  id: AccountId,
  { ids, how }: { readonly ids: readonly number[]; readonly how: string },
): Promise<void> {
  if (how === 'accept') await acceptRequests(ctx, { id }, ids)
  else if (how === 'dismiss') await dismissRequests(ctx, { id }, ids)
  else throw new NotFound()
}

function showSenders(c: AppContext): Promise<Response> {
  const maxId = parseMaxId(c)
  return showMemberView(c, {
    read: (ctx, as) => requestsOf(ctx, as, { limit: pageSize, maxId }),
    show: async (frame, found) => {
      const ctx = c.get('ctx')
      const senders = await sendersOf(ctx, frame.session.accountId, found.requests)
      return <FilteredNotificationsPage senders={senders} olderUrl={olderPageUrl(c, found, pageSize)} />
    },
  })
}

/** Loads what requests name, in a second round trip. */
async function sendersOf(
  ctx: Ctx,
  readerId: AccountId,
  requests: readonly FilteredSender[],
): Promise<readonly SenderView[]> {
  if (requests.length === 0) return []
  const senders = selectKnown(requests.map(({ from }) => from))
  const found = await execute(ctx.db, loadRequests(ctx, viewerById(readerId), { requests, senders }))
  const showing = { config: ctx.config, now: ctx.clock.now() }
  return presentRequests(showing, found).map((request) => senderView(ctx, readerId, request))
}

function senderView(
  { config }: Pick<Ctx, 'config'>,
  readerId: AccountId,
  request: NotificationRequest,
): SenderView {
  const { id, account, last_status: status } = request
  return {
    id,
    person: personView(config, account),
    count: Number(request.notifications_count),
    lastPost: status == null ? null : postView(config, status, readerId),
  }
}

function showSender(c: AppContext): Promise<Response> {
  const maxId = parseMaxId(c)
  return showMemberView(c, {
    read: (ctx, as) => oneRequest(ctx, as, requireIdInPath(c)),
    show: async (frame, requests) => {
      const [request] = requests
      if (request === undefined) throw new NotFound()
      const ctx = c.get('ctx')
      const readerId = frame.session.accountId
      const me = viewerById(readerId)
      const filter = { types: notificationTypes, from: request.from, withFiltered: true }
      const page = notificationPage(me, filter, { limit: pageSize, maxId }, frame.now)
      const { senders, bundle } = await execute(
        ctx.db,
        combineQueries({
          senders: loadRequests(ctx, me, { requests, senders: selectKnown([request.from]) }),
          bundle: loadNotificationPage(ctx, me, page),
        }),
      )
      const showing = { config: ctx.config, now: frame.now }
      const [sender] = presentRequests(showing, senders)
      if (sender === undefined) throw new NotFound()
      const held = presentNotifications(showing, bundle, knownTypes).filter(
        ({ filtered }) => filtered === true,
      )
      const last = bundle.cursors.length < pageSize ? null : bundle.cursors.at(-1)
      return (
        <FilteredSenderPage
          sender={senderView(ctx, readerId, sender)}
          entries={held.flatMap((one) => notificationView(ctx.config, one, readerId) ?? [])}
          olderUrl={pageBehind(c.req.path, last)}
        />
      )
    },
  })
}
