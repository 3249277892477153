import { Invalid, NoImageService, Unavailable } from '../errors'
import type { Log } from '../ports/ctx'
import type { Images } from '../ports/services'
import type { Usage } from '../ports/usage'

export function imagesOf(binding: ImagesBinding, log: Log, { add }: Pick<Usage, 'add'>): Images {
  return {
    async render(source, order) {
      const { width, height, fit, mime, moving = false } = order
      add('imageTransformations', 1)
      try {
        const made = await binding
          .input(oneChunk(source))
          .transform({ width, height, fit })
          .output({ format: mime, anim: moving })
        const bytes = new Uint8Array(await made.response().arrayBuffer())
        return { bytes, mime: made.contentType() }
      } catch (cause) {
        // An unreadable picture is the uploader's mistake, unless the code reports an outage of the binding.
        if (codeOf(cause) === notEnabled) throw new NoImageService('no_image_service', {}, cause)
        if (imagesOutages.has(codeOf(cause))) throw new Unavailable('images_unavailable', {}, cause)
        log.info('A picture could not be read', { cause })
        throw new Invalid('unreadable_picture', { field: 'file' })
      }
    },
  }
}

/** The binding copies its input chunk by chunk, and of a Blob these are small: the copies took most of an upload. */
function oneChunk(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
}

/** Quota used up. The code of inner failures (9523) also stands for bad pictures. */
const imagesOutages: ReadonlySet<unknown> = new Set([9422, 9423])
const notEnabled = 9432

function codeOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null
}
