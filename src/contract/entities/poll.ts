import * as z from 'zod'
import { IdString, Timestamp } from '../scalars'
import { CustomEmoji } from './custom-emoji'

export const PollOption = z
  .strictObject({
    title: z.string(),
    votes_count: z.int().nullable(),
  })
  .meta({ id: 'PollOption' })
export type PollOption = z.infer<typeof PollOption>

export const Poll = z
  .strictObject({
    id: IdString,
    expires_at: Timestamp.nullable(),
    expired: z.boolean(),
    multiple: z.boolean(),
    votes_count: z.int(),
    voters_count: z.int().nullable(),
    options: z.array(PollOption),
    emojis: z.array(CustomEmoji),
    voted: z.boolean().exactOptional(),
    own_votes: z.array(z.int()).exactOptional(),
  })
  .meta({ id: 'Poll' })
export type Poll = z.infer<typeof Poll>
