import { describe, expect, it } from 'vitest'
import { sourceFiles } from './source'
import { namesAsText, sqlTemplates } from './sql-names'

/** Names as text in src. The number only falls: write the new one here. */
const most = 4_750

const inFile = (text: string) => namesAsText({ path: 'src/planted.ts', text })

describe('names of tables and columns in templates of SQL', () => {
  it('names of tables and columns in templates of SQL come through the schema: of those that are text there are no more than before', () => {
    const found = sourceFiles('src').map((file) => ({ path: file.path, count: namesAsText(file).length }))
    const count = found.reduce((sum, file) => sum + file.count, 0)
    const often = found.toSorted((a, b) => b.count - a.count).slice(0, 20)
    const help = `${count} names are text, ${most} may be. Write sql\`select \${lists.title} from \${lists}\`, with
alias(lists, 'l') where a table needs another name: sql\`from \${lists} \${l} where \${l.id} = 1\`. Fewer than before: lower
the number in test/guard/sql-names.test.ts. Files with most: ${often.map((one) => `${one.path} ${one.count}`).join(', ')}`
    expect(count, help).toBeLessThanOrEqual(most)
    // With room, because changes side by side would meet in one line.
    expect(count, help).toBeGreaterThan(most - 100)
  })

  it('this guard finds names in templates', () => {
    expect(sqlTemplates(`const a = sql\`one \${list(sql<number>\`two\`)} three\`; \`four\``)).toEqual([
      'two',
      'one \u0000 three',
    ])
    expect(inFile('sql`select m.id from list_accounts m where m.list_id = 1`')).toEqual([
      'list_accounts',
      'id',
      'list_id',
    ])
    expect(inFile(`sql\`select s.id from \${statuses} s\``)).toEqual(['id'])
    expect(inFile('sql`update lists set title = 1 where account_id = 2`')).toEqual(['lists', 'account_id'])
  })

  it('names may come from the schema or from a sub-query', () => {
    for (const innocent of [
      `sql\`select \${member.id} from \${listAccounts} \${member} where \${member.listId} = 1\``,
      `sql\`select part.domain, count(*) as statuses_count from (\${next}) part\``,
      `sql\`select item.value from \${jsonRows(ids)} where kind = 'account_id'\``,
      'const text = `from lists`; // sql`from lists`',
    ])
      expect(inFile(innocent), innocent).toEqual([])
  })
})
