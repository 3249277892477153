import * as z from 'zod'
import { Account } from '../contract/entities/account'
import { List, RepliesPolicy } from '../contract/entities/timelines'
import { Flag, Id, IdList } from '../contract/scalars'
import { combineQueries } from '../db/query'
import { accountExists } from '../domain/accounts/find'
import type { Page } from '../domain/core/page'
import {
  addMembers,
  createList,
  deleteList,
  isOwnList,
  type ListFacts,
  listsHolding,
  listsOf,
  ownList,
  removeMembers,
  selectListMembers,
  updateList,
} from '../domain/lists/edit'
import { NotFound } from '../errors'
import { loadAccounts } from '../view/load/accounts'
import { presentAccounts } from '../view/present/account'
import { presentList } from '../view/present/timelines'
import { showFound } from './api-response'
import { endpoint, readEndpoint, updateEndpoints, user } from './endpoint'
import { accountPage, pageOf, paging } from './paginate'

const ById = z.object({ id: Id })
const ListInput = z.object({
  title: z.string().nullish(),
  replies_policy: RepliesPolicy.nullish(),
  exclusive: Flag,
})
const Members = z.object({ id: Id, account_ids: IdList })

/** Page size of `limit=0`, which asks for every member: those of longer lists come with the next pages. */
const mostMembers = 180

export const lists = [
  readEndpoint({
    path: '/api/v1/lists',
    summary: "The viewer's lists",
    auth: user('read:lists'),
    output: z.array(List),
    read: (ctx, { as }) => listsOf(ctx, as),
    show: (_ctx, { found }) => found.map(presentList),
  }),
  readEndpoint({
    path: '/api/v1/accounts/:id/lists',
    summary: "Those of the viewer's lists that hold an account",
    auth: user('read:lists'),
    input: ById,
    output: z.array(List),
    read: (ctx, { input, as }) =>
      combineQueries({ exists: accountExists(ctx, input.id), lists: listsHolding(ctx, as, input.id) }),
    show: (_ctx, { found }) => {
      if (!found.exists) throw new NotFound()
      return found.lists.map(presentList)
    },
  }),
  readEndpoint({
    path: '/api/v1/lists/:id',
    summary: 'One list of the viewer',
    auth: user('read:lists'),
    input: ById,
    output: List,
    read: (ctx, { input, as }) => ownList(ctx, as, input.id),
    show: showFound(presentList),
  }),
  endpoint({
    path: '/api/v1/lists',
    summary: 'Make a list',
    auth: user('write:lists'),
    input: ListInput,
    output: List,
    run: async (ctx, { input, viewer }) => presentList(await createList(ctx, viewer, factsOf(input))),
  }),
  ...updateEndpoints({
    path: '/api/v1/lists/:id',
    summary: 'Change a list',
    auth: user('write:lists'),
    input: ListInput.extend({ id: Id }),
    output: List,
    // Absent fields stay unchanged.
    run: async (ctx, { input, viewer }) =>
      presentList(await updateList(ctx, viewer, { id: input.id, ...factsOf(input) })),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/v1/lists/:id',
    summary: 'Remove a list',
    auth: user('write:lists'),
    input: ById,
    run: (ctx, { input, viewer }) => deleteList(ctx, viewer, input.id),
  }),
  readEndpoint({
    path: '/api/v1/lists/:id/accounts',
    summary: 'Who is on a list',
    auth: user('read:lists'),
    input: ById.extend(paging(40, 80)),
    output: z.array(Account),
    read: (ctx, { input, as }) => {
      const page = pageOfMembers(input)
      return combineQueries({
        exists: isOwnList(ctx, as, input.id),
        members: loadAccounts(ctx, selectListMembers(as, input.id, page)),
      })
    },
    show: ({ config }, { found: { exists, members }, request, input }) => {
      if (!exists) throw new NotFound()
      const shown = presentAccounts(config, members)
      const { limit } = pageOfMembers(input)
      const isWhole = input.limit === 0 && members.cursors.length < limit && !members.endsEarly
      return isWhole ? shown : accountPage(shown, { request, input: { limit } }, members)
    },
  }),
  endpoint({
    path: '/api/v1/lists/:id/accounts',
    summary: 'Put accounts on a list',
    auth: user('write:lists'),
    input: Members,
    run: (ctx, { input, viewer }) => addMembers(ctx, viewer, { id: input.id, accounts: input.account_ids }),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/v1/lists/:id/accounts',
    summary: 'Take accounts off a list',
    auth: user('write:lists'),
    input: Members,
    run: (ctx, { input, viewer }) =>
      removeMembers(ctx, viewer, { id: input.id, accounts: input.account_ids }),
  }),
]

function pageOfMembers(input: Parameters<typeof pageOf>[0]): Page {
  return pageOf({ ...input, limit: input.limit === 0 ? mostMembers : input.limit })
}

function factsOf({ title, replies_policy, exclusive }: z.output<typeof ListInput>): Partial<ListFacts> {
  return {
    ...(title == null ? {} : { title }),
    ...(replies_policy == null ? {} : { repliesPolicy: replies_policy }),
    ...(exclusive === undefined ? {} : { exclusive }),
  }
}
