import { accountExists } from '../../domain/accounts/find'
import { endorsementsOf, followersOf, followingOf } from '../../domain/relationships/account-lists'
import { type RelationList, relationList } from '../account-pages'

const exists: RelationList['exists'] = (ctx, _as, id) => accountExists(ctx, id)

const lists: readonly Omit<RelationList, 'exists'>[] = [
  { path: '/api/v1/accounts/:id/followers', summary: 'Who follows an account', select: followersOf },
  { path: '/api/v1/accounts/:id/following', summary: 'Whom an account follows', select: followingOf },
  { path: '/api/v1/accounts/:id/endorsements', summary: 'Whom an account features', select: endorsementsOf },
]

export const accountRelationLists = lists.map((list) => relationList({ ...list, exists }))
