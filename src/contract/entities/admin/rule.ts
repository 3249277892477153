import * as z from 'zod'
import { Rule } from '../rule'

/** A rule with its place. Own entity: Mastodon manages rules on pages only. */
export const AdminRule = Rule.extend({ position: z.int() }).meta({ id: 'FieldfareRule' })
export type AdminRule = z.infer<typeof AdminRule>
