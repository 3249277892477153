import * as z from 'zod'
import { bookmarks, statusPins, trendingStatuses } from '../../src/db/schema'
import type { Visibility } from '../../src/db/schema/statuses'
import { as } from './as'
import { freshName, given, type TestAccount } from './given'
import { storedPicture, storedStatus } from './given-stored'
import { context } from './test-app'

export interface ReportedStatus {
  readonly id: number
  readonly author: TestAccount
  /** A word in all that the status says. */
  readonly secret: string
  readonly tag: string
  readonly reportId: string
}

const Made = z.object({ id: z.string() })

/**
 * A status that trends, undecided, is pinned and was bookmarked by `reader`. Its author is reported by a stranger, with
 * the status where the stranger may see it.
 */
export async function reportedStatus(
  visibility: Visibility,
  reader: { readonly id: number },
): Promise<ReportedStatus> {
  const [author, stranger] = [await given.account(), await given.account()]
  const { db, ids } = context()
  const secret = `${freshName('capercaillie')}x`
  const tag = freshName('bird')
  const id = await storedStatus({
    accountId: author.id,
    visibility,
    content: `<p>${secret}</p>`,
    spoilerText: secret,
    attachments: [{ ...storedPicture, description: secret }],
    tags: [tag],
  })
  await db.insert(statusPins).values({ id: ids.next(), accountId: author.id, statusId: id })
  await db.insert(bookmarks).values({ id: ids.next(), accountId: reader.id, statusId: id })
  await db.insert(trendingStatuses).values({
    statusId: id,
    accountId: author.id,
    language: 'en',
    rank: 1e9,
    trendable: null,
  })
  const report = { account_id: String(author.id), comment: 'Sings at night' }
  const withStatus = await as(stranger).post('/api/v1/reports', { ...report, status_ids: [String(id)] })
  const { body } = withStatus.status === 200 ? withStatus : await as(stranger).post('/api/v1/reports', report)
  return { id, author, secret, tag, reportId: Made.parse(body).id }
}
