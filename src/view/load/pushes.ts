import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { acctOf } from '../../contract/addresses'
import { jsonRow, optionalJsonRow } from '../../db/json-row'
import { map, type Query, rows } from '../../db/query'
import {
  accounts,
  browserPushSubscriptions,
  notifications,
  pushSubscriptions,
  statuses,
  users,
} from '../../db/schema'
import type { PushSubscriptionId, StatusId, TokenId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

const { endpoint, p256dh, auth, failures, id, accessTokenId, sealedToken, standard } = pushSubscriptions
const tokenCell = optionalJsonRow({
  id,
  endpoint,
  p256dh,
  auth,
  failures,
  accessTokenId,
  sealedToken,
  standard,
})
const browser = browserPushSubscriptions
const browserCell = optionalJsonRow({
  id: browser.id,
  endpoint: browser.endpoint,
  p256dh: browser.p256dh,
  auth: browser.auth,
  failures: browser.failures,
})
const notificationCell = jsonRow({
  id: notifications.id,
  type: notifications.type,
  groupKey: notifications.groupKey,
})
const senderParts = {
  id: accounts.id,
  username: accounts.username,
  domain: accounts.domain,
  displayName: accounts.displayName,
  avatar: accounts.avatar,
  noteHtml: accounts.noteHtml,
}
const senderCell = jsonRow(senderParts)

const author = alias(accounts, 'author')

/** Receiver of a message: its address, and the keys to encrypt with. */
interface PushTarget {
  readonly id: PushSubscriptionId
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly failures: number
  readonly standard: boolean
  /** Null for the browser of a session. */
  readonly accessTokenId: TokenId | null
  readonly sealedToken: string | null
}

/** A notification for one push subscription, with everything the message shows. */
export interface PushFacts {
  readonly subscription: PushTarget
  /** Locale of the recipient. */
  readonly locale: string
  readonly notification: Pick<typeof notifications.$inferSelect, 'id' | 'type' | 'groupKey'>
  readonly sender: Pick<typeof accounts.$inferSelect, keyof typeof senderParts>
  /** The status of the notification, if any. `author`: as the paths of pages name it; null unless for a browser. */
  readonly about: {
    readonly id: StatusId
    readonly author: string | null
    readonly spoilerText: string
    readonly content: string
  } | null
}

/**
 * Loads what `selection` names by rows (subscription_id, notification_id), in that order and in one statement.
 * The selection decides visibility: each row has another viewer.
 */
export function loadPushes(ctx: Ctx, selection: SQL): Query<readonly PushFacts[]> {
  const found = ctx.db
    .select({
      ofToken: tokenCell.as('of_token'),
      ofBrowser: browserCell.as('of_browser'),
      notification: notificationCell.as('notification'),
      sender: senderCell.as('sender'),
      locale: sql<string>`${users.locale}`.as('locale'),
      spoilerText: sql<string | null>`${statuses.spoilerText}`.as('spoiler_text'),
      content: sql<string | null>`${statuses.content}`.as('content'),
      statusId: sql<StatusId | null>`${statuses.id}`.as('status_id'),
      author: sql<string | null>`${author.username}`.as('author'),
      authorDomain: sql<string | null>`${author.domain}`.as('author_domain'),
    })
    .from(sql`(${selection}) as due`)
    .crossJoin(notifications)
    .crossJoin(users)
    .crossJoin(accounts)
    .leftJoin(pushSubscriptions, sql`${pushSubscriptions.id} = due.subscription_id`)
    .leftJoin(browserPushSubscriptions, sql`${browserPushSubscriptions.id} = due.subscription_id`)
    .leftJoin(statuses, eq(statuses.id, notifications.statusId))
    .leftJoin(author, and(eq(author.id, statuses.accountId), isNotNull(browserPushSubscriptions.id)))
    .where(
      sql`${notifications.id} = due.notification_id
        and ${users.accountId} = ${notifications.accountId} and ${accounts.id} = ${notifications.fromAccountId}`,
    )
    .orderBy(sql`due.subscription_id, due.notification_id`)
  return map(rows(found), (all) =>
    all.flatMap(({ ofToken, ofBrowser, spoilerText, content, statusId, author, authorDomain, ...row }) => {
      const subscription = ofToken ?? browserTarget(ofBrowser)
      if (subscription === null) return []
      const about =
        statusId === null || spoilerText === null || content === null
          ? null
          : {
              id: statusId,
              author: author === null ? null : acctOf({ username: author, domain: authorDomain }),
              spoilerText,
              content,
            }
      return [{ ...row, subscription, about }]
    }),
  )
}

function browserTarget(row: Omit<PushTarget, 'standard' | 'accessTokenId' | 'sealedToken'> | null) {
  return row === null ? null : { ...row, standard: true, accessTokenId: null, sealedToken: null }
}
