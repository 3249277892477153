import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'
import { Account, Role } from '../account'
import { AdminStrike, ReportCategory } from '../report'

export const AdminIp = z
  .strictObject({
    ip: z.string(),
    used_at: Timestamp,
  })
  .meta({ id: 'AdminIp' })

export const AdminAccount = z
  .strictObject({
    id: IdString,
    username: z.string(),
    domain: z.string().nullable(),
    created_at: Timestamp,
    // Null for remote accounts from here on: they have no user.
    email: z.string().nullable(),
    ip: z.string().nullable(),
    ips: z.array(AdminIp).nullable(),
    locale: z.string().nullable(),
    invite_request: z.string().nullable(),
    role: Role.nullable(),
    confirmed: z.boolean().nullable(),
    approved: z.boolean().nullable(),
    disabled: z.boolean().nullable(),
    // Set for remote accounts too from here on.
    sensitized: z.boolean(),
    silenced: z.boolean(),
    suspended: z.boolean(),
    account: Account,
    created_by_application_id: IdString.exactOptional(),
    invited_by_account_id: IdString.exactOptional(),
  })
  .meta({ id: 'AdminAccount' })
export type AdminAccount = z.infer<typeof AdminAccount>

/** A note of a moderator about a report or an account. Own entity: Mastodon shows these on pages only. */
export const ModerationNote = z
  .strictObject({
    id: IdString,
    // Null: the operator, or a moderator whose account was deleted.
    account_id: IdString.nullable(),
    username: z.string(),
    // Exactly one of the two is set.
    report_id: IdString.nullable(),
    target_account_id: IdString.nullable(),
    content: z.string(),
    created_at: Timestamp,
  })
  .meta({ id: 'FieldfareModerationNote' })
export type ModerationNote = z.infer<typeof ModerationNote>

/** A report in the history of an account, without what it names. */
export const ReportSummary = z
  .strictObject({
    id: IdString,
    category: ReportCategory,
    comment: z.string(),
    account_id: IdString,
    target_account_id: IdString,
    status_ids: z.array(IdString),
    rule_ids: z.array(IdString),
    action_taken_at: Timestamp.nullable(),
    action_taken_by_account_id: IdString.nullable(),
  })
  .meta({ id: 'FieldfareReportSummary' })

/** Entry in the history of an account: a report by or about it, a strike, or a note. */
export const AccountHistoryEntry = z
  .strictObject({
    id: IdString,
    type: z.enum(['report_about', 'report_by', 'strike', 'note']),
    created_at: Timestamp,
    // Exactly the key of the type is set.
    report: ReportSummary.nullable(),
    strike: AdminStrike.nullable(),
    note: ModerationNote.nullable(),
  })
  .meta({ id: 'FieldfareAccountHistoryEntry' })
export type AccountHistoryEntry = z.infer<typeof AccountHistoryEntry>

/** An access token, without the token itself. Own entity. */
export const AdminToken = z
  .strictObject({
    id: IdString,
    application: z.string(),
    scopes: z.array(z.string()),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
  })
  .meta({ id: 'FieldfareAdminToken' })

/** A generated password, shown this once. Own entity. */
export const GeneratedPassword = z
  .strictObject({ password: z.string() })
  .meta({ id: 'FieldfareGeneratedPassword' })

/** A link by which a member chooses a new password, once. Own entity. */
export const ResetLink = z.strictObject({ url: z.string() }).meta({ id: 'FieldfareResetLink' })

/** A new account with its password, shown this once. Own entity. */
export const CreatedAccount = z
  .strictObject({ account: AdminAccount, password: z.string() })
  .meta({ id: 'FieldfareCreatedAccount' })
