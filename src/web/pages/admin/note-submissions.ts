import { addNote, deleteNote } from '../../../domain/moderation/notes'
import type { Submission } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { moderatorOf } from '../../moderator'

/** Confirmations of `noteSubmissions`. */
export const noteNotices = {
  noted: 'admin.noteSubmissions.noteAdded',
  unnoted: 'admin.noteSubmissions.noteDeleted',
} as const

/** Forms for notes about what a page at `path` shows: field `note`. */
export function noteSubmissions<I extends { readonly note: string }>(
  type: 'account' | 'report',
  path: string,
): readonly Submission<I, keyof typeof noteNotices>[] {
  return [
    {
      path: `${path}/notes`,
      access: 'manageReports',
      run: async ({ c, ctx, session, input }) => {
        await addNote(ctx, moderatorOf(c, session), { type, id: requireIdInPath(c) }, input.note)
        return { notice: 'noted' }
      },
    },
    {
      path: `${path}/notes/:note_id/delete`,
      access: 'manageReports',
      isCommand: true,
      run: async ({ c, ctx, session }) => {
        await deleteNote(ctx, moderatorOf(c, session), Number(c.req.param('note_id')))
        return { notice: 'unnoted' }
      },
    },
  ]
}
