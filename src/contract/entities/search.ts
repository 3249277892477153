import * as z from 'zod'
import { Account } from './account'
import { Collection } from './collection'
import { Status } from './status'
import { Tag } from './tag'

export const Search = z
  .strictObject({
    accounts: z.array(Account),
    statuses: z.array(Status),
    hashtags: z.array(Tag),
    collections: z.array(Collection),
  })
  .meta({ id: 'Search' })

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
