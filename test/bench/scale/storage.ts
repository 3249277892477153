import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'

/** Space of one thing, with everything that is stored because of it. */
export interface Space {
  readonly name: string
  /** Bytes of one, pages that are partly empty included. */
  readonly bytes: number
  /** Bytes of it in indexes. */
  readonly inIndexes: number
  /** Bytes it may take; null without a bound. */
  readonly atMost: number | null
}

interface Kind {
  readonly name: string
  /** Tables whose rows come and go with it, the one that is counted first; a virtual table stands for its parts. */
  readonly tables: readonly [string, ...string[]]
  readonly atMost?: number
}

const kinds: readonly Kind[] = [
  {
    name: 'remote status, with mentions, tags and words',
    tables: ['statuses', 'status_mentions', 'status_tags', 'status_search', 'status_edits', 'polls'],
    atMost: 1_000,
  },
  {
    name: 'remote account, with addresses, key and words',
    tables: ['accounts', 'remote_actors', 'actor_keys', 'account_search'],
  },
  { name: 'follow', tables: ['follows', 'followed_accounts'] },
  { name: 'notification', tables: ['notifications'] },
  { name: 'favourite', tables: ['favourites'] },
  { name: 'entry of a home feed', tables: ['home_entries'] },
]

const Pages = z.array(
  z.object({ name: z.string(), table: z.string(), isIndex: z.number(), bytes: z.number() }),
)
const Count = z.object({ count: z.number() })

/** Measures a database on disk, or in memory, by its pages. */
export function spaceIn(db: DatabaseSync): Space[] {
  const pages = Pages.parse(
    db
      .prepare(
        `select s.name, m.tbl_name as "table", m.type = 'index' as isIndex, sum(s.pgsize) as bytes
        from dbstat s join sqlite_master m on m.name = s.name group by s.name`,
      )
      .all(),
  )
  return kinds.map(({ name, tables, atMost = null }) => {
    const of = pages.filter(({ table }) => tables.some((one) => belongsTo(table, one)))
    const { count } = Count.parse(db.prepare(`select count(*) as count from "${tables[0]}"`).get())
    const sum = (some: typeof of) => Math.round(some.reduce((total, { bytes }) => total + bytes, 0) / count)
    return { name, bytes: sum(of), inIndexes: sum(of.filter(({ isIndex }) => isIndex === 1)), atMost }
  })
}

/** A full-text index keeps its parts in tables named after it. */
const belongsTo = (table: string, of: string) =>
  table === of || (of.endsWith('_search') && table.startsWith(`${of}_`))
