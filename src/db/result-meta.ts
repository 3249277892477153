import * as z from 'zod'

const Meta = z.object({
  meta: z.object({ size_after: z.number().default(0), rows_read: z.number().default(0) }),
})

/** Size of the database after a statement, and the rows it read, as D1 reports them with its result. */
export function metaOf(result: unknown): z.output<typeof Meta>['meta'] {
  return Meta.parse(result).meta
}
