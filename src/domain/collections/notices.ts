import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { notifications } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Changes } from '../changes'
import { notify } from '../notify'
import type { CollectionRow } from './find'

/** What a collection says of itself that whoever is in it may mind. */
type Said = Pick<CollectionRow, 'name' | 'description' | 'sensitive' | 'tag'>

const minded = ['name', 'description', 'sensitive', 'tag'] as const

/** Adds what tells `members` that a collection they are in says something else now. Of several changes the last is told. */
export function tellMembers(
  ctx: Ctx,
  changes: Changes,
  told: {
    readonly before: CollectionRow
    readonly after: { readonly [K in keyof Said]?: Said[K] | undefined }
    readonly members: readonly AccountId[]
  },
): void {
  const { before, after, members } = told
  const isOther = minded.some((key) => after[key] !== undefined && after[key] !== before[key])
  if (!isOther || members.length === 0) return
  const about = { type: 'collection_update', subjectId: before.id } as const
  changes.add(
    ctx.db
      .delete(notifications)
      .where(and(eq(notifications.subjectId, about.subjectId), eq(notifications.type, about.type))),
  )
  const notice = { ...about, from: before.accountId, statusId: null }
  notify(
    ctx,
    changes,
    members.map((to) => ({ ...notice, to })),
  )
}
