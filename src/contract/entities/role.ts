import * as z from 'zod'

// Role ids are not `IdString`: clients know the role of every account by its fixed id -99.

export const AccountRole = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    color: z.string(),
  })
  .meta({ id: 'AccountRole' })
export type AccountRole = z.infer<typeof AccountRole>

export const Role = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    color: z.string(),
    permissions: z.string(),
    highlighted: z.boolean(),
    collection_limit: z.int(),
  })
  .meta({ id: 'Role' })
export type Role = z.infer<typeof Role>
