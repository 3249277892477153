import * as z from 'zod'
import { arg, declareGroup, everyPage, given, id } from '../lib/command-line/declare.mjs'
import { bytesText } from '../lib/command-line/text.mjs'

const Import = z.object({
  id: z.string(),
  username: z.string(),
  actor: z.string(),
  proof: z.string().nullable(),
  imported_count: z.int(),
  bytes: z.int(),
  files_count: z.int(),
  file_bytes: z.int(),
  progressed_at: z.string(),
  removed_at: z.string().nullable(),
})
const pageLength = 100

export const group = declareGroup({
  name: 'imports',
  summary: 'Archives that members imported',
  commands: [
    {
      name: 'list',
      summary: 'Imported archives with ids and what each brought, latest first',
      calls: ['GET /api/fieldfare/v1/admin/archive_imports'],
      result: z.object({ imports: z.array(Import) }),
      run: async ({ instance }) => ({
        imports: await everyPage(async (before) => {
          const query = given({ limit: pageLength, max_id: before ?? undefined })
          const entries = await instance.admin('GET', 'archive_imports', query)
          return { entries, next: entries.length < pageLength ? null : entries.at(-1).id }
        }),
      }),
      lines: ({ imports }) =>
        imports.length === 0 ? ['Nobody has imported an archive.'] : imports.map(lineOf),
    },
    {
      name: 'remove',
      summary: 'Deletes all posts of an imported archive, and takes nothing more of it',
      args: [arg('ID', 'Id of the import', id)],
      route: 'DELETE /api/fieldfare/v1/admin/archive_imports/:id',
      result: Import,
      destroys: (input) => `delete all posts of the import ${input.id} for good`,
      lines: ({ id: name }) => [`The posts of ${name} are being deleted.`],
    },
  ],
})

function lineOf(one) {
  return [
    one.id,
    one.username,
    one.actor === '' ? 'unknown' : one.actor,
    one.proof === null ? 'not verified' : `verified (${one.proof})`,
    `${one.imported_count} posts`,
    `${one.files_count} files`,
    bytesText(one.bytes + one.file_bytes),
    one.removed_at === null ? one.progressed_at : `removed ${one.removed_at}`,
  ].join('  ')
}
