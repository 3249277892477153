import { getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { jsonColumn, optionalJsonPart } from '../../db/json-row'
import { accounts } from '../../db/schema'

/** The account a link preview names as author of the page, joined to the status that shows the preview. */
export const creators = alias(accounts, 'creators')

export const isCreator = sql`creators.id = statuses.card ->> '$.creatorId'`

const { note: _note, publicKey: _publicKey, alsoKnownAs: _aliases, ...shown } = getTableColumns(creators)

/** The creator account as part of a JSON column. */
export const creatorPart = optionalJsonPart(shown)

/** The creator account as one JSON column of a select. */
export const creatorCell = jsonColumn(creatorPart)
