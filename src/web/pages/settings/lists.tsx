import * as z from 'zod'
import { combineQueries, constant, execute, map, type Query } from '../../../db/query'
import { resolveAccount } from '../../../domain/accounts/move'
import { viewerById } from '../../../domain/core/viewer'
import {
  addMembers,
  createList,
  deleteList,
  listsOf,
  ownList,
  removeMembers,
  selectListMembers,
  updateList,
} from '../../../domain/lists/edit'
import { InvalidFields, NotFound } from '../../../errors'
import { problem } from '../../../errors/sentences'
import type { ListId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { loadAccounts } from '../../../view/load/accounts'
import { presentAccounts } from '../../../view/present/account'
import { summaryOfAccount } from '../../components/account-card'
import { type ListFound, ListPage, ListsPage } from '../../components/settings/lists-view'
import { checkbox, positiveNumber, textField } from '../../form-fields'
import type { SubmissionCall, Submitted } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { lastCursor, pageBehind, readMaxId } from '../../pagination'
import { paths } from '../../paths'

const pageLength = 40
const repliesPolicies = ['list', 'followed', 'none'] as const

const form = z.object({
  title: textField(2_000),
  replies_policy: textField(20),
  exclusive: checkbox,
  handle: textField(300),
  account: textField(30),
})
type Call = SubmissionCall<z.output<typeof form>>
type Notice = 'added' | 'saved' | 'member' | 'member-removed' | 'deleted'

export const listsPage = memberPage({
  kind: 'settings',
  path: paths.lists,
  title: 'settings.lists',
  access: 'active',
  menu: { group: 'reach', label: 'settings.lists', order: 44 },
  form,
  submissions: [
    { run: add },
    { path: `${paths.lists}/:id`, run: change },
    { path: `${paths.lists}/:id/members`, run: addMember },
    { path: `${paths.lists}/:id/members/remove`, isCommand: true, run: removeMember },
    {
      path: `${paths.lists}/:id/delete`,
      isCommand: true,
      run: async ({ c, ctx, session }) => {
        await deleteList(ctx, { id: session.accountId }, requireIdInPath(c))
        return { notice: 'deleted' }
      },
    },
  ],
  notices: {
    added: 'settings.lists.listThereAddPeople',
    saved: 'settings.lists.listSaved',
    member: 'settings.lists.accountList',
    'member-removed': 'settings.lists.accountOffList',
    deleted: 'settings.lists.listDeleted',
  },
  load: async (ctx, { session, query, id }) => {
    const viewer = viewerById(session.accountId)
    const chosenId = id ?? positiveNumber(query('id')) ?? null
    const { lists, list } = await execute(
      ctx.db,
      combineQueries({
        lists: listsOf(ctx, viewer),
        list: findList(ctx, viewer, chosenId, readMaxId(query('max_id'))),
      }),
    )
    if (chosenId !== null && list === null) throw new NotFound()
    return { lists, list }
  },
  view: ({ typed, found: { lists, list } }) =>
    list === null ? <ListsPage typed={typed} lists={lists} /> : <ListPage typed={typed} {...list} />,
})

type ViewerRef = ReturnType<typeof viewerById>

function findList(
  ctx: Ctx,
  viewer: ViewerRef,
  id: ListId | null,
  maxId: number | undefined,
): Query<ListFound | null> {
  if (id === null) return constant(null)
  const page = { limit: pageLength, maxId }
  const found = combineQueries({
    list: ownList(ctx, viewer, id),
    members: loadAccounts(ctx, selectListMembers(viewer, id, page)),
  })
  return map(found, ({ list, members }) => {
    if (list === null) return null
    return {
      list,
      members: presentAccounts(ctx.config, members).map((account) => ({
        id: account.id,
        account: summaryOfAccount(account),
      })),
      olderUrl: pageBehind(paths.lists, lastCursor(members, pageLength), { id: String(id) }),
    }
  })
}

function factsOf(input: Call['input']) {
  const { title, exclusive } = input
  if (title.trim() === '') throw new InvalidFields([problem('blank', { field: 'title' })])
  const repliesPolicy = repliesPolicies.find((one) => one === input.replies_policy) ?? 'list'
  return { title: title.trim(), repliesPolicy, exclusive }
}

async function add({ ctx, session, input }: Call): Promise<Submitted<Notice>> {
  const { id } = await createList(ctx, { id: session.accountId }, factsOf(input))
  return { redirectTo: `${paths.lists}?id=${id}&done=added` }
}

async function change({ c, ctx, session, input }: Call): Promise<Submitted<Notice>> {
  const id = requireIdInPath(c)
  await updateList(ctx, { id: session.accountId }, { id, ...factsOf(input) })
  return { redirectTo: `${paths.lists}?id=${id}&done=saved` }
}

async function addMember({ c, ctx, session, input }: Call): Promise<Submitted<Notice>> {
  const id = requireIdInPath(c)
  const member = await resolveAccount(ctx, input.handle, 'handle')
  await addMembers(ctx, { id: session.accountId }, { id, accounts: [member.id] })
  return { redirectTo: `${paths.lists}?id=${id}&done=member` }
}

async function removeMember({ c, ctx, session, input }: Call): Promise<Submitted<Notice>> {
  const id = requireIdInPath(c)
  const member = positiveNumber(input.account)
  await removeMembers(ctx, { id: session.accountId }, { id, accounts: member === undefined ? [] : [member] })
  return { redirectTo: `${paths.lists}?id=${id}&done=member-removed` }
}
