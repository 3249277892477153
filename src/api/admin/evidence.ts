import * as z from 'zod'
import { Flag, Id } from '../../contract/scalars'
import { findEvidenceFile, openEvidenceFile } from '../../domain/reports/evidence-files'
import { NotFound } from '../../errors'
import { moderatedFileHeaders } from '../../lib/media/mime'
import { ApiResponse } from '../api-response'
import { staff } from '../caller'
import { readEndpoint } from '../endpoint'

/** Bytes of a file; a client has them as text or as they are. */
const FileBytes = z.custom<ReadableStream>(
  (body) => body instanceof ReadableStream || typeof body === 'string',
)

export const adminEvidence = [
  readEndpoint({
    method: 'GET',
    path: '/api/fieldfare/v1/admin/evidence/:id/media/:media_id',
    summary:
      'A file of evidence, or with `small` its preview, also once the status was deleted; answers the bytes',
    auth: staff('admin:read:reports', 'manageReports'),
    input: z.object({ id: Id, media_id: Id, small: Flag.default(false) }),
    output: FileBytes,
    answersFile: true,
    read: (ctx, { input: { id, media_id: mediaId, small } }) =>
      findEvidenceFile(ctx, { evidenceId: id, mediaId, small: small === true }),
    show: async (ctx, { found: key }) => {
      const file = key === null ? null : await openEvidenceFile(ctx, key)
      if (file === null) throw new NotFound()
      return new ApiResponse(file.body, { headers: moderatedFileHeaders(file) })
    },
  }),
]
