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
