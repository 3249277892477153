import * as z from 'zod'
import {
  BlocklistException,
  DomainBlockExport,
  DomainBlockImport,
  DomainBlockImportPreview,
} from '../../contract/entities/admin/domain'
import { Flag, Id, OptionalText, Upload } from '../../contract/scalars'
import { findExceptions } from '../../domain/moderation/blocklists/find'
import { exportLimits, importFile, previewImport } from '../../domain/moderation/blocklists/import-file'
import { addException, removeException } from '../../domain/moderation/blocklists/subscribe'
import { Invalid } from '../../errors'
import { textOfFile } from '../../lib/text/bytes'
import {
  presentDomainBlock,
  presentEffects,
  presentException,
  presentImport,
  presentListedLimit,
} from '../../view/present/admin-domain'
import { endpoint, readEndpoint, staff } from '../endpoint'
import { pageOf, paging, showPage } from '../paginate'

const reading = staff('admin:read:domain_blocks', 'manageFederation')
const writing = staff('admin:write:domain_blocks', 'manageFederation')

/** A list as a file, or as text. */
const File = z.object({ data: Upload, csv: OptionalText })

/** Limits on servers as files, and the domains that no list limits. */
export const adminBlocklistFiles = [
  endpoint({
    method: 'GET',
    path: '/api/fieldfare/v1/admin/domain_blocks/export',
    summary: 'Every limit on a server, in the CSV format of Mastodon',
    auth: reading,
    output: DomainBlockExport,
    run: async (ctx) => ({
      filename: `domain_blocks-${ctx.clock.now().toISOString().slice(0, 10)}.csv`,
      csv: await exportLimits(ctx),
    }),
  }),

  endpoint({
    path: '/api/fieldfare/v1/admin/domain_blocks/import/preview',
    summary: 'What an uploaded list would change; changes nothing',
    auth: writing,
    takesFiles: true,
    input: File,
    output: DomainBlockImportPreview,
    run: async (ctx, { input }) => {
      const { added, conflicts, covered, excepted, effects } = await previewImport(ctx, textOf(input))
      return {
        added: added.map(presentListedLimit),
        conflicts: await Promise.all(
          conflicts.map(async ({ listed, existing }) => ({
            listed: presentListedLimit(listed),
            existing_domain_block: await presentDomainBlock(existing),
          })),
        ),
        unchanged_count: covered.length,
        excepted: excepted.map(({ domain }) => domain),
        ...presentEffects(effects),
      }
    },
  }),

  endpoint({
    path: '/api/fieldfare/v1/admin/domain_blocks/import',
    summary: 'Imports an uploaded list, in the background; existing limits are changed with `overwrite` only',
    auth: writing,
    takesFiles: true,
    input: File.extend({ overwrite: Flag.default(false) }),
    output: DomainBlockImport,
    run: async (ctx, { viewer, input }) =>
      presentImport(await importFile(ctx, viewer, textOf(input), { overwrite: input.overwrite })),
  }),

  readEndpoint({
    path: '/api/fieldfare/v1/admin/domain_blocks/exceptions',
    summary: 'Domains that no list limits, newest first',
    auth: reading,
    input: z.object(paging(100, 200)),
    output: z.array(BlocklistException),
    read: (ctx, { input }) => findExceptions(ctx, pageOf(input)),
    show: showPage(presentException),
  }),

  endpoint({
    path: '/api/fieldfare/v1/admin/domain_blocks/exceptions',
    summary: 'Excepts a domain and its subdomains from all lists',
    auth: writing,
    input: z.object({ domain: OptionalText, comment: OptionalText }),
    output: BlocklistException,
    run: async (ctx, { viewer, input }) =>
      presentException(
        await addException(ctx, viewer, { domain: input.domain ?? '', comment: input.comment ?? '' }),
      ),
  }),

  endpoint({
    method: 'DELETE',
    path: '/api/fieldfare/v1/admin/domain_blocks/exceptions/:id',
    summary: 'Ends an exception from lists',
    auth: writing,
    input: z.object({ id: Id }),
    run: (ctx, { viewer, input }) => removeException(ctx, viewer, input.id),
  }),
]

function textOf({ data, csv }: z.output<typeof File>): string {
  const text = data === undefined ? (csv ?? '') : textOfFile(data)
  if (text.trim() === '') throw new Invalid('blank', { field: 'data' })
  return text
}
