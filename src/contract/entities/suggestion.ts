import * as z from 'zod'
import { Account } from './account'

export const Suggestion = z
  .strictObject({
    // Deprecated in favour of the more detailed `sources`.
    source: z.enum(['staff', 'past_interactions', 'global']).nullable(),
    sources: z.array(
      z.enum([
        'featured',
        'most_followed',
        'most_interactions',
        'similar_to_recently_followed',
        'friends_of_friends',
      ]),
    ),
    account: Account,
  })
  .meta({ id: 'Suggestion' })
export type Suggestion = z.infer<typeof Suggestion>
