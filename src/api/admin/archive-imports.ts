import * as z from 'zod'
import { AdminArchiveImport } from '../../contract/entities/admin/maintenance'
import { Id } from '../../contract/scalars'
import { execute } from '../../db/query'
import { removeImport } from '../../domain/cleanup/remove-archive-import'
import { findImportById, findImports } from '../../domain/statuses/archived/find-imports'
import { NotFound } from '../../errors'
import { presentAdminArchiveImport } from '../../view/present/admin-maintenance'
import { staff } from '../caller'
import { endpoint, readEndpoint } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const path = '/api/fieldfare/v1/admin/archive_imports'

export const adminArchiveImports = [
  readEndpoint({
    method: 'GET',
    path,
    summary: 'The archives that members imported, latest first, with what each brought',
    auth: staff('admin:read', 'manageUsers'),
    input: z.object(paging(40, 100)),
    output: z.array(AdminArchiveImport),
    read: (ctx, { input }) => findImports(ctx, pageOf(input)),
    show: (_ctx, { found, request, input }) =>
      page(found.map(presentAdminArchiveImport), request, {
        cursors: found.map(({ id }) => id),
        limit: input.limit,
      }),
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    summary:
      'Removes an import: its statuses are deleted little by little, and nothing more of its actor is imported',
    auth: staff('admin:write', 'manageUsers'),
    input: z.object({ id: Id }),
    output: AdminArchiveImport,
    run: async (ctx, { input: { id }, viewer }) => {
      await removeImport(ctx, viewer, id)
      const found = await execute(ctx.db, findImportById(ctx, id))
      if (found === null) throw new NotFound()
      return presentAdminArchiveImport(found)
    },
  }),
]
