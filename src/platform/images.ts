import { Invalid, Unavailable } from '../errors'
import type { Images, Log } from './ports'

export function imagesOf(binding: ImagesBinding, log: Log): Images {
  return {
    async render(source, order) {
      const { width, height, fit, mime, moving = false } = order
      try {
        const stream = new Blob([source]).stream()
        const made = await binding
          .input(stream)
          .transform({ width, height, fit })
          .output({ format: mime, anim: moving })
        const bytes = new Uint8Array(await made.response().arrayBuffer())
        return { bytes, mime: made.contentType() }
      } catch (cause) {
        // An unreadable picture is the uploader's mistake, unless the code reports an outage of the binding.
        if (isImagesOutage(cause)) throw new Unavailable('Pictures cannot be processed now', cause)
        log.info('A picture could not be read', { cause })
        throw new Invalid('Validation failed: File could not be read as a picture')
      }
    },
  }
}

/**
 * Quota used up (9422, 9423) or not enabled (9432). The code of inner failures (9523) also stands for bad pictures.
 */
const imagesOutages: ReadonlySet<unknown> = new Set([9422, 9423, 9432])

function isImagesOutage(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'code' in cause && imagesOutages.has(cause.code)
}
