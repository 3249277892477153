import { map } from '../../db/query'
import { favouritersOf, visibleRebloggersOf } from '../../domain/interactions/find-accounts'
import { visibleStatus } from '../../domain/statuses/find'
import { type RelationList, relationList } from '../account-pages'

const exists: RelationList['exists'] = (ctx, as, id) =>
  map(visibleStatus(ctx, as, id), (status) => status !== null)

const lists: readonly Omit<RelationList, 'exists'>[] = [
  { path: '/api/v1/statuses/:id/favourited_by', summary: 'Who favourites a status', select: favouritersOf },
  { path: '/api/v1/statuses/:id/reblogged_by', summary: 'Who reblogs a status', select: visibleRebloggersOf },
]

export const interactingAccounts = lists.map((list) => relationList({ ...list, exists }))
