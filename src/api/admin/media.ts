import * as z from 'zod'
import { CleanedMedia } from '../../contract/entities/admin/maintenance'
import { Flag } from '../../contract/scalars'
import { cleanMedia } from '../../domain/pruning/clean-media'
import { staff } from '../caller'
import { endpoint } from '../endpoint'

export const adminMedia = [
  endpoint({
    method: 'POST',
    path: '/api/fieldfare/v1/admin/media/clean',
    summary:
      'Deletes files that nothing names, of the next 500, or with `dry_run` counts them; `next` goes on',
    auth: staff('admin:write', 'viewDevops'),
    input: z.object({ after: z.string().max(1_024).default(''), dry_run: Flag.default(false) }),
    output: CleanedMedia,
    run: async (ctx, { input: { after, dry_run: isDryRun }, viewer }) => {
      const { orphanBytes, ...part } = await cleanMedia(ctx, viewer, { after, isDryRun })
      return { ...part, orphan_bytes: orphanBytes }
    },
  }),
]
