import * as z from 'zod'
import { CalendarDate, Html, IdString, Timestamp, Url } from '../../scalars'
import { Rule } from '../instance'

/** An announcement as staff sees it. Own entity: Mastodon manages announcements on pages only. */
export const AdminAnnouncement = z
  .strictObject({
    id: IdString,
    // As typed.
    text: z.string(),
    content: Html,
    state: z.enum(['draft', 'scheduled', 'published', 'over']),
    starts_at: Timestamp.nullable(),
    ends_at: Timestamp.nullable(),
    all_day: z.boolean(),
    // Of a scheduled announcement the time to come; null for a draft.
    published_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'FieldfareAnnouncement' })
export type AdminAnnouncement = z.infer<typeof AdminAnnouncement>

/** A local custom emoji as staff sees it. Own entity: Mastodon manages emojis on pages only. */
export const AdminCustomEmoji = z
  .strictObject({
    id: IdString,
    shortcode: z.string(),
    url: Url,
    static_url: Url,
    category: z.string().nullable(),
    visible_in_picker: z.boolean(),
    disabled: z.boolean(),
    created_at: Timestamp,
  })
  .meta({ id: 'FieldfareCustomEmoji' })
export type AdminCustomEmoji = z.infer<typeof AdminCustomEmoji>

/** A rule with its place. Own entity: Mastodon manages rules on pages only. */
export const AdminRule = Rule.extend({ position: z.int() }).meta({ id: 'FieldfareRule' })
export type AdminRule = z.infer<typeof AdminRule>

const termsKeys = z.strictObject({
  effective_date: CalendarDate,
  // Whether it is or was in force.
  effective: z.boolean(),
  succeeded_by: CalendarDate.nullable(),
  published_at: Timestamp,
  // Summary of the changes, in Markdown; empty where there is none.
  changelog: z.string(),
  characters: z.int(),
  // Time at which members were notified; null before.
  notification_sent_at: Timestamp.nullable(),
  // Mails about it so far, and the time at which the last one was sent.
  notification_mails: z.int(),
  notification_finished_at: Timestamp.nullable(),
})

/** A version of the terms of service. Own entity: Mastodon manages these on pages only. */
export const AdminTerms = termsKeys.meta({ id: 'FieldfareTerms' })
export type AdminTerms = z.infer<typeof AdminTerms>

/** A version with its text in Markdown. */
export const AdminTermsWithText = termsKeys
  .extend({ text: z.string() })
  .meta({ id: 'FieldfareTermsWithText' })
export type AdminTermsWithText = z.infer<typeof AdminTermsWithText>

/** A setting with its type, bounds and default. Own entity: Mastodon shows settings on pages only. */
export const Setting = z
  .strictObject({
    // As in `npx fieldfare settings`.
    name: z.string(),
    type: z.enum(['text', 'integer', 'boolean', 'choice', 'list', 'file']),
    nullable: z.boolean(),
    // Values of a choice; empty for other types.
    choices: z.array(z.string()),
    // Bounds of an integer.
    minimum: z.int().nullable(),
    maximum: z.int().nullable(),
    value: z.unknown(),
    default: z.unknown(),
    // Null where it was never saved.
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'FieldfareSetting' })
export type Setting = z.infer<typeof Setting>
