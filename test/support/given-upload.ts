import { mediaAttachments } from '../../src/db/schema'
import type { TestAccount } from './given'
import { clock, context } from './test-app'

type Row = typeof mediaAttachments.$inferInsert

/** An upload written straight into the tables, with no bytes behind it. */
export async function storedUpload(by: TestAccount, options: Partial<Row> = {}): Promise<string> {
  const ctx = context()
  const id = ctx.ids.next()
  await ctx.db.insert(mediaAttachments).values({
    id,
    accountId: by.id,
    type: 'image',
    mime: 'image/png',
    sizeBytes: 1,
    createdAt: clock.now(),
    fileKey: `attachments/${id}/original.png`,
    previewKey: `attachments/${id}/small.png`,
    ...options,
  })
  return String(id)
}
