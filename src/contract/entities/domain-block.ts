import * as z from 'zod'

/** A limit this instance puts on another, as shown publicly. */
export const DomainBlock = z
  .strictObject({
    domain: z.string(),
    digest: z.string(),
    severity: z.enum(['silence', 'suspend']),
    // Null unless the caller may read the reasons; the documentation lets it be absent.
    comment: z.string().nullable().exactOptional(),
  })
  .meta({ id: 'DomainBlock' })
export type DomainBlock = z.infer<typeof DomainBlock>

/** The follows a domain block would cost the viewer. */
export const DomainBlockPreview = z
  .strictObject({
    following_count: z.int(),
    followers_count: z.int(),
  })
  .meta({ id: 'DomainBlockPreview' })
export type DomainBlockPreview = z.infer<typeof DomainBlockPreview>
