import * as z from 'zod'
import { execute } from '../../../db/query'
import { viewerById } from '../../../domain/core/viewer'
import {
  addSavedReply,
  changeSavedReply,
  deleteSavedReply,
  savedRepliesOf,
} from '../../../domain/drafts/saved-replies'
import { NotFound } from '../../../errors'
import { SavedRepliesPage, SavedReplyPage } from '../../components/settings/saved-replies-view'
import { positiveNumber, textField } from '../../form-fields'
import type { SubmissionCall, Submitted } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'

const title = 'settings.savedReplies.savedReplies'

const form = z.object({ name: textField(2_000), text: textField(20_000) })
type Call = SubmissionCall<z.output<typeof form>>
type Notice = 'added' | 'saved' | 'deleted'

export const savedRepliesPage = memberPage({
  kind: 'settings',
  path: paths.savedReplies,
  title,
  access: 'active',
  menu: { group: 'posts', label: title, order: 64 },
  words: ['settings.savedReplies.add'],
  form,
  submissions: [
    { run: add },
    { path: `${paths.savedReplies}/:id`, run: change },
    {
      path: `${paths.savedReplies}/:id/delete`,
      isCommand: true,
      run: async ({ c, ctx, session }) => {
        await deleteSavedReply(ctx, { id: session.accountId }, requireIdInPath(c))
        return { notice: 'deleted' }
      },
    },
  ],
  notices: {
    added: 'settings.savedReplies.added',
    saved: 'settings.savedReplies.saved',
    deleted: 'settings.savedReplies.deleted',
  },
  load: async (ctx, { session, query, id }) => {
    const replies = await execute(ctx.db, savedRepliesOf(ctx, viewerById(session.accountId)))
    const chosenId = id ?? positiveNumber(query('id'))
    const chosen = replies.find((reply) => reply.id === chosenId) ?? null
    if (chosenId !== undefined && chosen === null) throw new NotFound()
    return { replies, chosen }
  },
  view: ({ found: { replies, chosen } }) =>
    chosen === null ? <SavedRepliesPage replies={replies} /> : <SavedReplyPage reply={chosen} />,
})

async function add({ ctx, session, input }: Call): Promise<Submitted<Notice>> {
  await addSavedReply(ctx, { id: session.accountId }, input)
  return { notice: 'added' }
}

async function change({ c, ctx, session, input }: Call): Promise<Submitted<Notice>> {
  await changeSavedReply(ctx, { id: session.accountId }, { id: requireIdInPath(c), ...input })
  return { redirectTo: `${paths.savedReplies}?done=saved` }
}
