import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'

export const DomainBlockSeverity = z.enum(['silence', 'suspend', 'noop'])
export type DomainBlockSeverity = z.infer<typeof DomainBlockSeverity>

export const AdminDomainAllow = z
  .strictObject({
    id: IdString,
    domain: z.string(),
    created_at: Timestamp,
  })
  .meta({ id: 'AdminDomainAllow' })
export type AdminDomainAllow = z.infer<typeof AdminDomainAllow>

export const AdminDomainBlock = z
  .strictObject({
    id: IdString,
    domain: z.string(),
    digest: z.string(),
    created_at: Timestamp,
    severity: DomainBlockSeverity,
    reject_media: z.boolean(),
    reject_reports: z.boolean(),
    private_comment: z.string().nullable(),
    public_comment: z.string().nullable(),
    obfuscate: z.boolean(),
  })
  .meta({ id: 'AdminDomainBlock' })
export type AdminDomainBlock = z.infer<typeof AdminDomainBlock>

export const AdminExistingDomainBlockError = z
  .strictObject({
    error: z.string(),
    existing_domain_block: AdminDomainBlock,
  })
  .meta({ id: 'AdminExistingDomainBlockError' })
export type AdminExistingDomainBlockError = z.infer<typeof AdminExistingDomainBlockError>
