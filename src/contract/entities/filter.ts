import * as z from 'zod'
import { IdString, Timestamp } from '../scalars'

export const FilterContext = z.enum(['home', 'notifications', 'public', 'thread', 'account'])
export type FilterContext = z.infer<typeof FilterContext>

export const FilterAction = z.enum(['warn', 'hide', 'blur'])
export type FilterAction = z.infer<typeof FilterAction>

export const FilterKeyword = z
  .strictObject({
    id: IdString,
    keyword: z.string(),
    whole_word: z.boolean(),
  })
  .meta({ id: 'FilterKeyword' })
export type FilterKeyword = z.infer<typeof FilterKeyword>

export const FilterStatus = z
  .strictObject({
    id: IdString,
    status_id: IdString,
  })
  .meta({ id: 'FilterStatus' })
export type FilterStatus = z.infer<typeof FilterStatus>

export const Filter = z
  .strictObject({
    id: IdString,
    title: z.string(),
    context: z.array(FilterContext),
    expires_at: Timestamp.nullable(),
    filter_action: FilterAction,
    keywords: z.array(FilterKeyword).exactOptional(),
    statuses: z.array(FilterStatus).exactOptional(),
  })
  .meta({ id: 'Filter' })
export type Filter = z.infer<typeof Filter>

export const FilterResult = z
  .strictObject({
    filter: Filter,
    keyword_matches: z.array(z.string()).nullable(),
    status_matches: z.array(IdString).nullable(),
  })
  .meta({ id: 'FilterResult' })
export type FilterResult = z.infer<typeof FilterResult>

export const V1Filter = z
  .strictObject({
    id: IdString,
    phrase: z.string(),
    context: z.array(FilterContext),
    expires_at: Timestamp.nullable(),
    irreversible: z.boolean(),
    whole_word: z.boolean(),
  })
  .meta({ id: 'V1Filter' })
export type V1Filter = z.infer<typeof V1Filter>
