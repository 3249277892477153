import * as z from 'zod'
import { MediaAttachment } from '../../src/contract/entities/status'
import { as, type TestResponse } from './as'
import type { TestAccount } from './given'
import { mediaFile } from './media'

type Part = string | Uint8Array | File

/** A multipart body. Bytes become a file with a name and type that say nothing. */
export function formOf(parts: Readonly<Record<string, Part>>): FormData {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts))
    form.set(
      name,
      part instanceof Uint8Array ? new File([part], 'file', { type: 'application/x-odd' }) : part,
    )
  return form
}

/** Uploads a file of test/data/media, or the bytes of one made up, as somebody. */
export function upload(
  by: TestAccount,
  file: string | Uint8Array,
  more: Readonly<Record<string, Part>> = {},
): Promise<TestResponse> {
  const bytes = typeof file === 'string' ? mediaFile(file) : file
  return as(by).post('/api/v2/media', formOf({ file: bytes, ...more }))
}

/** An attachment that was uploaded without trouble. */
export async function uploaded(
  by: TestAccount,
  file: string | Uint8Array,
  more: Readonly<Record<string, Part>> = {},
): Promise<MediaAttachment> {
  const answer = await upload(by, file, more)
  return MediaAttachment.parse(answer.body)
}

/** Path below the origin: what to ask this server for. */
export function pathOf(url: string | null): string {
  return new URL(z.string().parse(url)).pathname
}
