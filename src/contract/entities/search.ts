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
export type Search = z.infer<typeof Search>
