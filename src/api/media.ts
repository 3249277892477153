import * as z from 'zod'
import { MediaAttachment } from '../contract/entities/status'
import { Id, Upload } from '../contract/scalars'
import { attachmentOf, mediaById } from '../domain/media/find'
import { deleteMedia, updateMedia, uploadMedia } from '../domain/media/upload'
import { NotFound } from '../errors'
import { presentAttachment } from '../view/present/media'
import { endpoint, readEndpoint, updateEndpoints, user } from './endpoint'

const metadataFields = {
  thumbnail: Upload,
  description: z.string().nullish(),
  focus: z.preprocess((sent) => (sent === '' || sent === null ? undefined : sent), z.string().optional()),
}

/**
 * Uploads are processed within the request: pictures take a fraction of a second, audio and video are stored as sent.
 * Both versions therefore answer 200 with the URL, and the 202 and 206 of the API never occur.
 */
function uploadEndpoint(path: '/api/v1/media' | '/api/v2/media', deprecatedSince?: Date) {
  return endpoint({
    path,
    summary: 'Upload a picture, sound or video for a status',
    auth: user('write:media'),
    limit: 'media',
    takesFiles: true,
    ...(deprecatedSince === undefined ? {} : { deprecatedSince }),
    input: z.object({ ...metadataFields, file: Upload }),
    output: MediaAttachment,
    run: async (ctx, { input, viewer }) =>
      presentAttachment(ctx.config, attachmentOf(await uploadMedia(ctx, viewer, input)), viewer.id),
  })
}

export const media = [
  uploadEndpoint('/api/v1/media', new Date('2020-04-05T00:00:00Z')),
  uploadEndpoint('/api/v2/media'),
  readEndpoint({
    path: '/api/v1/media/:id',
    summary: "The viewer's own upload, while it is not attached",
    auth: user('write:media'),
    input: z.object({ id: Id }),
    output: MediaAttachment,
    read: (ctx, { input }) => mediaById(ctx, input.id),
    show: ({ config }, { found, viewer }) => {
      if (found === null || found.accountId !== viewer.id) throw new NotFound()
      if (found.statusId !== null || found.scheduledStatusId !== null) throw new NotFound()
      return presentAttachment(config, attachmentOf(found), viewer.id)
    },
  }),
  ...updateEndpoints({
    path: '/api/v1/media/:id',
    summary: 'Change description, focus or thumbnail of an upload not yet attached',
    auth: user('write:media'),
    takesFiles: true,
    input: z.object({ id: Id, ...metadataFields }),
    output: MediaAttachment,
    run: async (ctx, { input: { id, ...patch }, viewer }) =>
      presentAttachment(ctx.config, attachmentOf(await updateMedia(ctx, viewer, { id, patch })), viewer.id),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/v1/media/:id',
    summary: 'Delete an upload not yet attached',
    auth: user('write:media'),
    input: z.object({ id: Id }),
    run: (ctx, { input, viewer }) => deleteMedia(ctx, viewer, input.id),
  }),
]
