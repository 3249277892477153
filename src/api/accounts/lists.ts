import { accountExists } from '../../domain/accounts/find'
import { endorsedByOther, followedBy, followersOf } from '../../domain/relationships/lists'
import { type RelationList, relationList } from '../account-pages'

const exists: RelationList['exists'] = (ctx, _as, id) => accountExists(ctx, id)

const lists: readonly Omit<RelationList, 'exists'>[] = [
  { path: '/api/v1/accounts/:id/followers', summary: 'Who follows an account', select: followersOf },
  { path: '/api/v1/accounts/:id/following', summary: 'Whom an account follows', select: followedBy },
  { path: '/api/v1/accounts/:id/endorsements', summary: 'Whom an account features', select: endorsedByOther },
]

export const accountLists = lists.map((list) => relationList({ ...list, exists }))
