import { getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { optionalJsonRow } from '../../db/json-row'
import { accounts } from '../../db/schema'

/** The account a preview names as the author of its page, joined to the status that shows it. */
export const creators = alias(accounts, 'creators')

export const isCreator = sql`creators.id = statuses.card ->> '$.creatorId'`

const { note: _note, publicKey: _publicKey, alsoKnownAs: _aliases, ...shown } = getTableColumns(creators)

/** That account as one cell of a select. */
export const creatorCell = optionalJsonRow(shown)
