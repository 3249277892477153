import * as z from 'zod'
import { IdString, Timestamp, Url } from '../../scalars'
import { UsageHistory } from '../tag'

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

/** An invitation as staff sees it. Own entity: Mastodon manages invitations on pages only. */
export const AdminInvite = z
  .strictObject({
    id: IdString,
    code: z.string(),
    url: Url,
    // The member who invites.
    account_id: IdString,
    username: z.string(),
    state: z.enum(['usable', 'used_up', 'expired']),
    uses: z.int(),
    // Null: unlimited.
    max_uses: z.int().nullable(),
    autofollow: z.boolean(),
    expires_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'FieldfareInvite' })
export type AdminInvite = z.infer<typeof AdminInvite>

/** A role as administrators set it. Own entity: Mastodon shows these on pages only. */
export const AdminRole = z
  .strictObject({
    // Not `IdString`: the base role has the id -99.
    id: z.string(),
    name: z.string(),
    color: z.string(),
    position: z.int(),
    // Bits as in Role, without those of the base role.
    permissions: z.string(),
    permission_names: z.array(z.string()),
    highlighted: z.boolean(),
    require_two_factor: z.boolean(),
    collection_limit: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'FieldfareRole' })
export type AdminRole = z.infer<typeof AdminRole>

/** Sign-in of a member, as far as moderators decide about it. */
export const AdminSignIn = z
  .strictObject({
    account_id: IdString,
    two_factor_enabled: z.boolean(),
    // No code by mail is asked for when a sign-in looks new.
    skip_sign_in_token: z.boolean(),
  })
  .meta({ id: 'FieldfareAdminSignIn' })
export type AdminSignIn = z.infer<typeof AdminSignIn>
