import * as z from 'zod'
import { AccountArchive } from '../contract/entities/own-account'
import { Id } from '../contract/scalars'
import { execute } from '../db/query'
import { archiveKey } from '../domain/statuses/archive-export/pack-archive'
import {
  archiveMilliseconds,
  archivesOf,
  readyArchive,
  requestArchive,
} from '../domain/statuses/archive-export/request-archive'
import { NotFound } from '../errors'
import { presentAccountArchive } from '../view/present/own-account'
import { ApiResponse } from './api-response'
import { endpoint, readEndpoint, user } from './endpoint'

const path = '/api/fieldfare/v1/account_archives'

/** Bytes of a file, which the API document declares as such. */
const FileBytes = z.custom<ReadableStream>(
  (body) => body instanceof ReadableStream || typeof body === 'string',
)

/** Archives of the viewer's own account: everything it wrote, in the format of Mastodon. */
export const accountArchives = [
  endpoint({
    path,
    summary: 'Requests the archive of the own account, once in seven days',
    auth: user('write:accounts'),
    output: AccountArchive,
    run: async (ctx, { viewer }) =>
      presentAccountArchive(await requestArchive(ctx, viewer.id), archiveMilliseconds),
  }),
  readEndpoint({
    path,
    summary: 'Archives of the own account, latest first',
    auth: user('read:accounts'),
    output: z.array(AccountArchive),
    read: (ctx, { as }) => archivesOf(ctx, as.id),
    show: (_ctx, { found }) => found.map((row) => presentAccountArchive(row, archiveMilliseconds)),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/:id/file`,
    summary: 'An archive of the own account as tar.gz, while it is kept; it holds direct posts',
    auth: user('read'),
    answersFile: true,
    input: z.object({ id: Id }),
    output: FileBytes,
    run: async (ctx, { input, viewer }) => {
      const archive = await execute(ctx.db, readyArchive(ctx, viewer.id, input.id))
      const file = archive === null ? null : await ctx.files.get(archiveKey(archive))
      if (file === null) throw new NotFound()
      return new ApiResponse(file.body, {
        headers: {
          'Content-Type': 'application/gzip',
          'Content-Disposition': `attachment; filename="archive-${viewer.username}.tar.gz"`,
          'Cache-Control': 'private, no-store',
          'X-Content-Type-Options': 'nosniff',
        },
      })
    },
  }),
]
