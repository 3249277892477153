import * as z from 'zod'

const Named = z.object({ name: z.string() })
const Row = z.record(z.string(), z.unknown())

/** Every text in a database, with the table and column that hold it. */
export async function storedTexts(
  db: D1Database,
): Promise<readonly { readonly column: string; readonly text: string }[]> {
  const { results } = await db
    .prepare(
      `select name from sqlite_master where type = 'table' and sql not like 'create virtual%'
      and name not like '\\_cf%' escape '\\' and name not like 'sqlite\\_%' escape '\\'`,
    )
    .all()
  const tables = z.array(Named).parse(results)
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await db.prepare(`select * from "${name}"`).all()
      return z
        .array(Row)
        .parse(rows.results)
        .flatMap((row) =>
          Object.entries(row).flatMap(([column, text]) =>
            typeof text === 'string' ? [{ column: `${name}.${column}`, text }] : [],
          ),
        )
    }),
  )
  return found.flat()
}
