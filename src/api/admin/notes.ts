import * as z from 'zod'
import { AccountHistoryEntry, ModerationNote } from '../../contract/entities/admin/account'
import { Id } from '../../contract/scalars'
import { both } from '../../db/query'
import { loadRules } from '../../domain/instance/rules'
import { findHistory } from '../../domain/moderation/find-history'
import { addNote, deleteNote, findNotes, noteSubjectLabel } from '../../domain/moderation/notes'
import { NotFound } from '../../errors'
import { presentHistoryEntry, presentModerationNote } from '../../view/present/admin-account'
import { endpoint, readEndpoint, staff } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const One = z.object({ id: Id })

const notesOf = (['report', 'account'] as const).flatMap((type) => [
  readEndpoint({
    path: `/api/fieldfare/v1/admin/${type}s/:id/notes`,
    summary: `Notes of moderators about ${type === 'report' ? 'a report' : 'an account'}, newest first`,
    auth: staff(`admin:read:${type}s`, 'manageReports'),
    input: One.extend(paging(40, 100)),
    output: z.array(ModerationNote),
    read: (ctx, { input: { id, ...input } }) =>
      both(noteSubjectLabel(ctx, { type, id }), findNotes(ctx, { type, id }, pageOf(input))),
    show: (_ctx, { input, request, found: [label, notes] }) => {
      if (label === null) throw new NotFound()
      return page(notes.map(presentModerationNote), request, {
        cursors: notes.map(({ id }) => id),
        limit: input.limit,
      })
    },
  }),
  endpoint({
    path: `/api/fieldfare/v1/admin/${type}s/:id/notes`,
    summary: `Adds a note about ${type === 'report' ? 'a report' : 'an account'}, for moderators only`,
    auth: staff(`admin:write:${type}s`, 'manageReports'),
    input: One.extend({ content: z.string().default('') }),
    output: ModerationNote,
    run: async (ctx, { viewer, input: { id, content } }) =>
      presentModerationNote(await addNote(ctx, viewer, { type, id }, content)),
  }),
])

export const adminNotes = [
  ...notesOf,
  endpoint({
    method: 'DELETE',
    path: '/api/fieldfare/v1/admin/notes/:id',
    summary: 'Deletes a note of the caller, or of a moderator below',
    auth: staff('admin:write:reports', 'manageReports'),
    input: One,
    run: (ctx, { viewer, input }) => deleteNote(ctx, viewer, input.id),
  }),
  readEndpoint({
    path: '/api/fieldfare/v1/admin/accounts/:id/history',
    summary: 'Reports by and about an account, strikes against it and notes about it, newest first',
    auth: staff('admin:read:accounts', 'manageReports'),
    input: One.extend(paging(20, 40)),
    output: z.array(AccountHistoryEntry),
    read: (ctx, { input: { id, ...input } }) => both(findHistory(ctx, id, pageOf(input)), loadRules(ctx)),
    show: (_ctx, { input, request, found: [entries, rules] }) => {
      if (entries === null) throw new NotFound()
      return page(
        entries.map((entry) => presentHistoryEntry(entry, rules)),
        request,
        { cursors: entries.map(({ id }) => id), limit: input.limit },
      )
    },
  }),
]
