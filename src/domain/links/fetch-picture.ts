import { mediaLimits } from '../../contract/limits'
import { AppError, Unreachable } from '../../errors'
import { type Dimensions, readDimensions } from '../../lib/media/dimensions'
import { blurhashOf } from '../../lib/media/png'
import { sniffMedia } from '../../lib/media/sniff'
import { readBody } from '../../lib/outgoing'
import type { Ctx } from '../../ports/ctx'

const maxPictureBytes = 4_194_304

/** The picture of a preview, served to readers through this server. */
export interface FoundPicture extends Dimensions {
  readonly url: string
  readonly blurhash: string | null
}

/** Fetches the picture of a page; null if it is no picture, too large, or unreachable. */
export async function fetchPicture(ctx: Ctx, url: string): Promise<FoundPicture | null> {
  const bytes = await bytesAt(ctx, url)
  const kind = bytes === null ? null : (sniffMedia(bytes)?.kind ?? null)
  if (bytes === null || (kind !== 'image' && kind !== 'gifv-candidate')) return null
  const size = readDimensions(bytes)
  if (size === null || size.width * size.height > mediaLimits.imagePixels) return null
  return { url, ...size, blurhash: await blurred(ctx, bytes) }
}

async function bytesAt(ctx: Ctx, url: string): Promise<Uint8Array | null> {
  try {
    const answer = await ctx.http.send({
      method: 'GET',
      url,
      redirects: 'follow',
      maxBytes: maxPictureBytes,
      headers: { accept: 'image/*' },
    })
    if (answer.status === 200) return await readBody(answer)
    await answer.body?.cancel()
    return null
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure
    ctx.log.info('Failed to fetch the picture of a page', { host: URL.parse(url)?.host, cause: failure })
    return null
  }
}

/** Browsers may show pictures that the image service cannot read, or not now. */
async function blurred(ctx: Ctx, bytes: Uint8Array): Promise<string | null> {
  if (ctx.images === null) return null
  try {
    const tiny = { width: 32, height: 32, fit: 'scale-down', mime: 'image/png' } as const
    return blurhashOf((await ctx.images.render(bytes, tiny)).bytes)
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure
    ctx.log.info('Failed to compute the blurhash of a page picture', { cause: failure })
    return null
  }
}
