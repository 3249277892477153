import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { customEmojis } from '../../../src/db/schema'
import type { FileRef } from '../../../src/db/values'
import { addEmoji } from '../../../src/domain/custom-emojis/change'
import { operator } from '../../../src/domain/policy/permissions'
import { sniffMedia } from '../../../src/lib/media/sniff'
import { freshName } from '../../support/given'
import { bytesOf, mediaFile } from '../../support/media'
import { movingPng, movingPngChunks, pngOf } from '../../support/media-moving'
import { context } from '../../support/test-app'

/** An emoji of a picture, and what is stored of its files. */
async function added(bytes: Uint8Array, overrides = {}) {
  const ctx = context(overrides)
  const id = await addEmoji(ctx, operator, { shortcode: freshName('emoji'), bytes, category: null })
  const [row] = await ctx.db.select().from(customEmojis).where(eq(customEmojis.id, id))
  return { image: await fileOf(row?.image ?? null), still: await fileOf(row?.still ?? null) }
}

async function fileOf(file: FileRef | null) {
  if (file === null || !('key' in file)) return null
  const stored = await context().files.get(file.key)
  return stored === null ? null : new Uint8Array(await new Response(stored.body).arrayBuffer())
}

const kindOf = (bytes: Uint8Array | null) => sniffMedia(bytes ?? new Uint8Array(0))

describe('a custom emoji', () => {
  it.each([
    ['PNG', movingPng()],
    ['WebP', mediaFile('animated.webp')],
    ['GIF', mediaFile('animated.gif')],
  ])('an animated %s keeps moving and has a static form', async (_, bytes) => {
    const { mime } = kindOf(bytes) ?? {}
    const drawn = await added(bytes)
    expect(kindOf(drawn.image)).toEqual({ mime, kind: 'gifv-candidate' })
    expect(kindOf(drawn.still)).toEqual({ mime: 'image/png', kind: 'image' })
    const kept = await added(bytes, { images: null })
    expect([kindOf(kept.image), kindOf(kept.still)]).toEqual([
      { mime, kind: 'gifv-candidate' },
      { mime, kind: 'image' },
    ])
  })

  it('a still PNG has no separate static form', async () => {
    expect(await added(mediaFile('rgba.png'))).toMatchObject({ still: null })
  })

  it('strips metadata from an emoji', async () => {
    const [header, ...rest] = movingPngChunks()
    if (header === undefined) throw new Error('no chunks')
    const { image } = await added(pngOf([header, ['tEXt', bytesOf('Author\0Alice')], ...rest]))
    expect(Buffer.from(image ?? []).toString('latin1')).not.toContain('Alice')
  })

  it.each([
    ['an animated PNG that is cut off', movingPng().slice(0, -20)],
    ['a WebP that is cut off', mediaFile('animated.webp').slice(0, -20)],
    ['a GIF without a frame', bytesOf('GIF89a\x01\0\x01\0\0\0\0;')],
  ])('refuses an emoji that is %s', async (_, bytes) => {
    await expect(added(bytes)).rejects.toThrow('Validation failed: Picture could not be read')
  })
})
