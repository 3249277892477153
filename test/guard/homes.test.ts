import { describe, expect, it } from 'vitest'
import { codeText, declarationsOf, type SourceFile, sourceFiles } from './source'

const files = sourceFiles('src')

const named = (path: string, text: string): SourceFile => ({ path, text })

describe('the tables of blocks, mutes and domain blocks', () => {
  const home =
    /^src\/(db\/|domain\/policy\/block-predicates\.ts$|domain\/relationships\/(block|domain-block|account-lists|find)\.ts$)/
  const inSql = /\b(from|join|into|update)\s+(blocks|mutes)\b|\baccount_domain_blocks\b/i
  const ofSchema = /import\s*(?:type\s*)?\{([^}]*)\}\s*from\s*'[^']*db\/schema(?:\/\w+)?'/g
  const isTable = (name: string) => /^(type )?(blocks|mutes|accountDomainBlocks)( as .*)?$/.test(name.trim())

  const spells = (file: SourceFile): boolean =>
    inSql.test(codeText(file)) ||
    [...file.text.matchAll(ofSchema)].some(([, names = '']) => names.split(',').some(isTable))
  const breaching = (all: readonly SourceFile[]) =>
    all.filter((file) => !home.test(file.path) && spells(file)).map(({ path }) => path)

  it('the tables of blocks, mutes and domain blocks are named in policy and by the commands and lists of relationships: take blockSql or blockText', () => {
    expect(breaching(files)).toEqual([])
  })

  it('the tables of blocks, mutes and domain blocks are seen by this guard', () => {
    expect(files.filter(spells).map(({ path }) => path)).toEqual([
      'src/db/schema/relationships.ts',
      'src/domain/policy/block-predicates.ts',
      'src/domain/relationships/account-lists.ts',
      'src/domain/relationships/block.ts',
      'src/domain/relationships/domain-block.ts',
      'src/domain/relationships/find.ts',
    ])
    const planted = [
      named('src/domain/polls/sql.ts', 'sql`exists (select 1 from blocks b where b.account_id = 1)`'),
      named('src/domain/polls/join.ts', 'sql`left join\n mutes m on true`'),
      named('src/view/load/domain.ts', "count('account_domain_blocks')"),
      named('src/domain/polls/drizzle.ts', "import { accounts, mutes } from '../../db/schema'"),
      named('src/domain/policy/visibility.ts', 'sql`select 1 from blocks`'),
    ]
    expect(breaching(planted)).toEqual(planted.map(({ path }) => path))
    const innocent = [
      named('src/api/mutes.ts', "import { mutes } from './mutes'\n// from blocks\nauth: 'read:blocks'"),
    ]
    expect(breaching(innocent)).toEqual([])
  })
})

describe('files and functions that find', () => {
  const write =
    /\bdb\s*\.\s*(insert|update|delete)\(|\b(insert (or \w+ )?into|replace into|delete from)\b|\bupdate\s+\S+\s+set\b/i
  // A query, so that it goes along with others; it asks whether the database takes writes.
  const probe = 'probeWrites'
  const finds = (name: string, text: string) =>
    name !== probe &&
    (/^find[A-Z]/.test(name) || /^(export )?function \w+(<[^(]*>)?\([\s\S]*?\n?\): Query</.test(text))
  const breaching = (all: readonly SourceFile[]) =>
    all
      .filter(
        (file) =>
          (/\/find[^/]*\.tsx?$/.test(file.path) && write.test(codeText(file))) ||
          (/^src\/(domain|view)\//.test(file.path) &&
            declarationsOf(file).some(
              ({ name, text }) => finds(name, text) && write.test(codeText({ path: file.path, text })),
            )),
      )
      .map(({ path }) => path)

  it('files and functions that find write nothing: a write lives in a file or a function named for what it does', () => {
    expect(breaching(files)).toEqual([])
  })

  it('files that find are seen by this guard', () => {
    const planted = [
      named('src/domain/polls/find.ts', 'return ctx.db\n  .update(polls)\n  .set({})'),
      named('src/domain/polls/find-votes.ts', 'ctx.db.run(sql`insert into poll_votes (id) select 1`)'),
      named('src/domain/polls/find-old.ts', 'sql`delete from polls`'),
      named('src/domain/polls/find-counts.ts', 'sql`update polls set votes = 1`'),
      named('src/domain/polls/vote.ts', 'export async function findPoll() {\n  await db.delete(polls)\n}'),
      named('src/domain/polls/close.ts', 'function due(): Query<Poll> {\n  return sql`delete from polls`\n}'),
    ]
    expect(breaching(planted)).toEqual(planted.map(({ path }) => path))
    expect(breaching([named('src/domain/polls/find.ts', 'cache.delete(key)')])).toEqual([])
  })
})
