import * as z from 'zod'
import { IdString, Timestamp, Url } from '../../scalars'

export const DomainBlockSeverity = z.enum(['silence', 'suspend', 'noop'])

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

/** Suspensions whose accounts are suspended in parts; `next` continues. Own entity. */
export const DomainSuspensions = z
  .strictObject({
    suspensions: z.array(
      z.strictObject({
        domain: z.string(),
        accounts_count: z.int().min(0),
        accounts_done: z.int().min(0),
      }),
    ),
    next: z.string().nullable(),
  })
  .meta({ id: 'FieldfareDomainSuspensions' })

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

/** Subscription to a published list of limits. Own entity. */
export const Blocklist = z
  .strictObject({
    id: IdString,
    title: z.string(),
    url: Url,
    checked_at: Timestamp.nullable(),
    next_check_at: Timestamp.nullable(),
    /** Reason why the last check changed nothing; null where it succeeded. */
    error: z.string().nullable(),
    has_pending_changes: z.boolean(),
    created_at: Timestamp,
  })
  .meta({ id: 'FieldfareBlocklist' })
export type Blocklist = z.infer<typeof Blocklist>

const listed = {
  domain: z.string(),
  severity: DomainBlockSeverity,
  reject_media: z.boolean(),
  reject_reports: z.boolean(),
  obfuscate: z.boolean(),
  public_comment: z.string().nullable(),
}

/** Change that a subscribed list proposes. Own entity. */
export const BlocklistChange = z
  .strictObject({
    id: IdString,
    change: z.enum(['add', 'change', 'remove']),
    ...listed,
    /** The limit that it would change or lift. */
    existing_domain_block: AdminDomainBlock.nullable(),
  })
  .meta({ id: 'FieldfareBlocklistChange' })
export type BlocklistChange = z.infer<typeof BlocklistChange>

/** Numbers of pending changes, and what their suspensions affect. Own entity. */
export const BlocklistPreview = z
  .strictObject({
    added_count: z.int().min(0),
    changed_count: z.int().min(0),
    removed_count: z.int().min(0),
    ...effects,
  })
  .meta({ id: 'FieldfareBlocklistPreview' })

const ListedDomainBlock = z.strictObject(listed)

/** Preview of an uploaded list: its changes, and the effects of its suspensions. Own entity. */
export const DomainBlockImportPreview = z
  .strictObject({
    added: z.array(ListedDomainBlock),
    conflicts: z.array(
      z.strictObject({
        listed: ListedDomainBlock,
        existing_domain_block: AdminDomainBlock,
      }),
    ),
    /** Lines that change nothing: limited already, themselves or by a parent. */
    unchanged_count: z.int().min(0),
    /** Domains that no list limits. */
    excepted: z.array(z.string()),
    ...effects,
  })
  .meta({ id: 'FieldfareDomainBlockImportPreview' })

/** An import that runs in the background. Own entity. */
export const DomainBlockImport = z
  .strictObject({
    id: IdString,
    added_count: z.int().min(0),
    changed_count: z.int().min(0),
    skipped_count: z.int().min(0),
  })
  .meta({ id: 'FieldfareDomainBlockImport' })
export type DomainBlockImport = z.infer<typeof DomainBlockImport>

/** Every limit, as CSV in Mastodon's format. Own entity. */
export const DomainBlockExport = z
  .strictObject({
    filename: z.string(),
    csv: z.string(),
  })
  .meta({ id: 'FieldfareDomainBlockExport' })

/** Domain that no list limits. Own entity. */
export const BlocklistException = z
  .strictObject({
    id: IdString,
    domain: z.string(),
    comment: z.string(),
    created_at: Timestamp,
  })
  .meta({ id: 'FieldfareBlocklistException' })
export type BlocklistException = z.infer<typeof BlocklistException>
