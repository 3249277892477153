import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'
import { AdminDomainBlock } from './domain'

/** Accounts and follows that a limit on a server affects. A suspension ends the follows. */
export const effects = {
  accounts_count: z.int().min(0),
  following_count: z.int().min(0),
  followers_count: z.int().min(0),
  /** False where there are more than were counted. */
  complete: z.boolean(),
}

/** Effects of a limit, before it is made. Own entity. */
export const AdminDomainBlockPreview = z
  .strictObject({
    domain: z.string(),
    ...effects,
    /** Limits on the domain and its parents, the nearest first. */
    existing_domain_blocks: z.array(AdminDomainBlock),
  })
  .meta({ id: 'FieldfareAdminDomainBlockPreview' })
export type AdminDomainBlockPreview = z.infer<typeof AdminDomainBlockPreview>

/** Follows that the suspension of a server ended. Own entity. */
export const Severance = z
  .strictObject({
    id: IdString,
    domain: z.string(),
    created_at: Timestamp,
    following_count: z.int().min(0),
    followers_count: z.int().min(0),
    restorable_until: Timestamp,
    restore_started_at: Timestamp.nullable(),
    restored_at: Timestamp.nullable(),
    restored_count: z.int().min(0),
  })
  .meta({ id: 'FieldfareSeverance' })
export type Severance = z.infer<typeof Severance>
