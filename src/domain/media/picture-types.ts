import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { constant, execute, first, map, type Query } from '../../db/query'
import { settings } from '../../db/schema'
import { Invalid, NoImageService, Unavailable } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import { convertedMimes, type SupportedMimeType } from '../../lib/media/sniff'
import type { Ctx } from '../../ports/ctx'
import type { Images } from '../../ports/services'
import { Changes, commit } from '../core/changes'
import { contentTypeError } from './picture-files'

/** Small pictures of 40 by 30 pixels, in Base64, by the formats that only some image services read. */
const samplePictures = {
  heic:
    'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA' +
    'AAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAACgAHgAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAAdAACAAEA' +
    'AAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAA' +
    'AADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAe' +
    'ugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFluqumubgQEDAgAAAAwCAAAADAIQiAAEABkQBwXPBiQAAABRpc3BlAAAA' +
    'AAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAKAAAAB4AAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QA' +
    'AAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAAHxtZGF0AAAAcCgBrxkhr4T495aQxbmGAS+SHzZ94ImFD2PAH5JvM1cw7sL5' +
    'BMXWSVnyLsZ7mYAE7HpuTuVvTeWgssrHf11fit/oBbY0iLpiE2R3j4GklaD5plqQbl8FwaKFQPXz6sBjF5vv5UhOYoGc/MCo' +
    'V4Kxnnw=',
  avif:
    'AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA' +
    'AAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAagAAACNpaW5mAAAAAAABAAAAFWluZmUC' +
    'AAAAAAEAAGF2MDEAAAAAamlwcnAAAABLaXBjbwAAABNjb2xybmNseAACAAIABoAAAAAMYXYxQ4EADAAAAAAUaXNwZQAAAAAA' +
    'AAAoAAAAHgAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgYIDhAAAAHJtZGF0EgAKCRgVJ+sECAgaEDJbGwAa' +
    'aaaFAPEykjysFqP8F80R87j8Fa7llA1GQ6jAh/RV6eR/D1X7ho23xII79K2wWDepC/5bjozbpI3HQ4UGjyMNcGXq5RcsrLh4' +
    '0uLxN+huaoyUWXthOeX5Yg==',
}

const key = 'task.probe-picture-types'
const Probed = z.object({ types: z.array(z.string()), probedAt: z.number() })

/** A service that reads none may have been switched on in the meantime. */
const probedAgainAfter = { some: 7 * dayMilliseconds, none: dayMilliseconds }

const formats: readonly (readonly [sample: string, types: readonly SupportedMimeType[]])[] = [
  [samplePictures.heic, ['image/heic', 'image/heif']],
  [samplePictures.avif, ['image/avif']],
]

/** Types among those that have to be converted which the image service of this deployment reads. One statement. */
export function convertibleTypes(ctx: Ctx): Query<readonly SupportedMimeType[]> {
  if (ctx.images === null) return constant([])
  const found = first(ctx.db.select({ value: settings.value }).from(settings).where(eq(settings.key, key)))
  return map(found, (row) => {
    const types = Probed.safeParse(row?.value).data?.types ?? []
    return convertedMimes.filter((mime) => types.includes(mime))
  })
}

/** `Invalid` for a type that has to be converted and cannot be. Other types are not looked up. */
export async function requireConvertible(ctx: Ctx, mime: SupportedMimeType, field: string): Promise<void> {
  if (!convertedMimes.includes(mime)) return
  const convertible = await execute(ctx.db, convertibleTypes(ctx))
  if (!convertible.includes(mime)) throw contentTypeError(field)
}

/** Condition: there is an image service, and it was not asked lately. */
export function isProbeDue({ images, clock }: Ctx): SQL {
  if (images === null) return sql`0`
  const now = clock.now().getTime()
  return sql`not exists (select 1 from settings where key = ${key} and value ->> 'probedAt' > ${now} -
    case json_array_length(value, '$.types') when 0 then ${probedAgainAfter.none} else ${probedAgainAfter.some} end)`
}

/**
 * Cron: finds out by small pictures which formats the image service reads: HEIC on Cloudflare, AVIF in plans for
 * enterprises, and others on the machine of a developer. While the service is unavailable, the earlier answer stays.
 */
export async function probePictureTypes(ctx: Ctx): Promise<void> {
  const { images } = ctx
  if (images === null) return
  const read: SupportedMimeType[] = []
  try {
    for (const [sample, types] of formats) if (await reads(images, sample)) read.push(...types)
  } catch (failure) {
    if (!(failure instanceof Unavailable)) throw failure
    ctx.log.info('The image service is unavailable: its formats stay as they were', { cause: failure })
    return
  }
  const now = ctx.clock.now()
  const value = { types: read, probedAt: now.getTime() }
  await commit(
    ctx,
    new Changes().add(
      ctx.db
        .insert(settings)
        .values({ key, value, updatedAt: now })
        .onConflictDoUpdate({ target: settings.key, set: { value, updatedAt: now } }),
    ),
  )
}

async function reads(images: Images, sample: string): Promise<boolean> {
  try {
    const order = { width: 8, height: 8, fit: 'scale-down', mime: 'image/png' } as const
    await images.render(Uint8Array.fromBase64(sample), order)
    return true
  } catch (failure) {
    if (failure instanceof Invalid || failure instanceof NoImageService) return false
    throw failure
  }
}
