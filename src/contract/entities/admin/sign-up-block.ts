import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'
import { UsageHistory } from '../usage-history'

export const IpBlockSeverity = z.enum(['sign_up_requires_approval', 'sign_up_block', 'no_access'])
export type IpBlockSeverity = z.infer<typeof IpBlockSeverity>

export const AdminIpBlock = z
  .strictObject({
    id: IdString,
    ip: z.string(),
    severity: IpBlockSeverity,
    comment: z.string(),
    created_at: Timestamp,
    expires_at: Timestamp.nullable(),
  })
  .meta({ id: 'AdminIpBlock' })
export type AdminIpBlock = z.infer<typeof AdminIpBlock>

export const AdminEmailDomainBlock = z
  .strictObject({
    id: IdString,
    domain: z.string(),
    created_at: Timestamp,
    history: UsageHistory,
    allow_with_approval: z.boolean(),
  })
  .meta({ id: 'AdminEmailDomainBlock' })
export type AdminEmailDomainBlock = z.infer<typeof AdminEmailDomainBlock>

export const AdminCanonicalEmailBlock = z
  .strictObject({
    id: IdString,
    canonical_email_hash: z.string(),
  })
  .meta({ id: 'AdminCanonicalEmailBlock' })
export type AdminCanonicalEmailBlock = z.infer<typeof AdminCanonicalEmailBlock>

export const UsernameBlockComparison = z.enum(['equals', 'contains'])

/** A name that cannot be chosen at sign-up. Own entity: Mastodon shows these on pages only. */
export const UsernameBlock = z
  .strictObject({
    id: IdString,
    username: z.string(),
    // Equal names only, or every name that contains it.
    comparison: UsernameBlockComparison,
    // Sign-ups need approval instead of being refused.
    allow_with_approval: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'FieldfareUsernameBlock' })
export type UsernameBlock = z.infer<typeof UsernameBlock>
