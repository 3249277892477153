import { describe, expect, it } from 'vitest'
import { codeLines, declarationsOf, sourceFiles } from './source'

interface Rule {
  readonly name: string
  readonly pattern: RegExp
  readonly allowed: RegExp
  readonly remedy: string
}

const nowhere = /^$/

const rules: readonly Rule[] = [
  {
    name: 'interactive transactions',
    pattern: /\.transaction\(/,
    allowed: nowhere,
    remedy: 'D1 has none: collect statements in Changes and commit once',
  },
  {
    name: 'relational queries',
    pattern: /\bdb\.query\./,
    allowed: nowhere,
    remedy: 'they pass every column to one SQL function, which D1 limits to 32: select flat in view/load',
  },
  {
    name: 'inArray',
    pattern: /\binArray\(/,
    allowed: nowhere,
    remedy: 'D1 binds 100 parameters: use inList() of db/query',
  },
  {
    name: 'bound limits',
    pattern: /\blimit \$\{/,
    allowed: /^src\/db\/query\.ts$/,
    remedy: 'SQLite would compile the statement at every run: use limitTo() of db/query',
  },
  {
    name: 'the time of the machine',
    pattern: /\bDate\.now\(|new Date\(\)/,
    allowed: /^src\/(wire|cloudflare\/durable-objects\/throttle|islands\/lib\/browser)\.ts$/,
    remedy: 'take ctx.clock.now()',
  },
  {
    name: 'unseeded randomness',
    pattern: /\bMath\.random\(/,
    allowed: /^src\/islands\/lib\/browser\.ts$/,
    remedy: 'take ctx.random or ctx.ids',
  },
  {
    name: 'the global fetch',
    // An object's own handler of that name is declared, not called.
    pattern: /(?<![.\w])fetch\((?!request: Request\))/,
    allowed: /^src\/(cloudflare\/http|islands\/lib\/api)\.ts$/,
    remedy: 'take ctx.http',
  },
  {
    name: 'bindings and variables',
    pattern: /\benv\.[A-Z]/,
    allowed:
      /^src\/(config|wire|cloudflare\/(durable-objects\/installation|installation|throttle|translator|vault))\.ts$/,
    remedy: 'take them from ctx',
  },
  {
    name: 'casts',
    pattern: /[\w)\]}>]\s+as\s+(?!const\b)[A-Za-z{[(]/,
    allowed: /^src\/(db\/query\.ts|domain\/policy\/)/,
    remedy: 'narrow with zod or a type guard; brands are made in policy',
  },
  {
    name: 'any',
    pattern: /:\s*any\b|<any>|\bany\[\]/,
    allowed: nowhere,
    remedy: 'use unknown and narrow it',
  },
  {
    name: 'silent catches',
    pattern: /catch\s*(\([^)]*\))?\s*\{\s*\}|\.catch\(\(\)\s*=>\s*(undefined|null|\{\s*\})\)/,
    allowed: nowhere,
    remedy: 'handle the failure, or let it rise',
  },
  {
    name: 'unfinished work',
    pattern: /\b(TODO|FIXME|XXX)\b/,
    allowed: nowhere,
    remedy: 'finish it or write it into the issue list',
  },
  {
    name: 'markup that skips the sanitiser',
    pattern: /dangerouslySetInnerHTML|(?<![.\w])raw\(/,
    allowed: /^src\/web\/components\//,
    remedy: 'only the web components that show sanitised text may',
  },
]

const files = sourceFiles('src')

/** SQL texts name columns and common tables with `as`, which is no cast. */
const isSql = (line: string) =>
  /`|\b(select|from|join|where|exists|union|and|or)\b.*\bas\b|\) as \((select|\$\{)/i.test(line)

describe('forbidden in src', () => {
  for (const { name, pattern, allowed, remedy } of rules)
    it(`${name}: ${remedy}`, () => {
      const breaking = files
        .filter(({ path }) => !allowed.test(path))
        .flatMap((file) =>
          codeLines(file)
            .filter((line) => pattern.test(line) && !(name === 'casts' && isSql(line)))
            .map((line) => `${file.path}: ${line}`),
        )
      expect(breaking).toEqual([])
    })

  it("zod's named import, which bundles every locale: import * as z from 'zod'", () => {
    const breaking = files.filter(({ text }) => /import\s*(type\s*)?\{[^}]*\}\s*from\s*'zod'/.test(text))
    expect(breaking.map(({ path }) => path)).toEqual([])
  })

  it('casts of the database decode rows and columns, in the functions named here', () => {
    const casts = rules.find(({ name }) => name === 'casts')?.pattern ?? nowhere
    const file = files.find(({ path }) => path === 'src/db/query.ts')
    const casting =
      file === undefined
        ? []
        : declarationsOf(file).filter(({ text }) => {
            const lines = codeLines({ path: file.path, text })
            return lines.some((line) => casts.test(line) && !isSql(line))
          })
    expect(casting.map(({ name }) => name)).toEqual([
      'rows',
      'combineQueries',
      'lookupColumns',
      'prefixedColumns',
      'optionalPrefixedColumns',
    ])
  })

  describe('reading statuses', () => {
    const allowed =
      /^src\/(domain\/notifications\/notify\.ts|domain\/statuses\/keep-evidence\.ts|domain\/(?:[^/]+\/)+find[^/]*\.ts|domain\/timelines\/|domain\/core\/page\.ts|domain\/policy\/|view\/load\/|db\/)/
    /** Finders that stand with the commands they serve. */
    const finders: readonly string[] = [
      'src/domain/conversations/entries.ts: conversationPage',
      'src/domain/conversations/entries.ts: participantsOf',
      'src/domain/conversations/entries.ts: previousStatus',
      'src/domain/conversations/entries.ts: threadsOf',
      'src/domain/custom-emojis/refresh.ts: emojiTextsOf',
      'src/domain/interactions/receive-undo.ts: undoneReblog',
      'src/domain/notifications/due-pushes.ts: duePushes',
      'src/domain/pruning/prune-statuses.ts: findPrunable',
      'src/domain/search/document.ts: insert',
      'src/domain/search/document.ts: concerned',
      'src/domain/search/index-statuses.ts: walkedStatuses',
      'src/domain/statuses/archive-export/request-archive.ts: markedAddresses',
      'src/domain/statuses/archive-export/request-archive.ts: ownStatusesBehind',
      'src/domain/statuses/rebuild-counters.ts: countedBy',
    ]
    const found = files
      .filter(({ path }) => !allowed.test(path))
      .flatMap(({ path, text: whole }) =>
        declarationsOf({ path, text: whole }).flatMap(({ name, text }) =>
          codeLines({ path, text })
            .filter((line) => /\.from\(statuses\)|\b(from|join)\s+(\$\{statuses\}|statuses\b)/i.test(line))
            .map((line) => ({ finder: `${path}: ${name}`, line })),
        ),
      )

    it('only declarations with the visibility rule read statuses', () => {
      expect(found.filter(({ finder }) => !finders.includes(finder))).toEqual([])
    })

    it('every allowed declaration reads statuses', () => {
      expect(finders.filter((finder) => !found.some((one) => one.finder === finder))).toEqual([])
    })
  })
})

describe('the database', () => {
  // Else the isolate would serve what it has cached after a change of its own.
  it('every database access uses the observed binding, which logs writes', () => {
    const lines = sourceFiles('src').flatMap((file) => codeLines(file).map((line) => ({ ...file, line })))
    const reaching = lines.filter(({ line }) => /\benv\.DB\b|\bopenDb\(|\bdrizzle\(/.test(line))
    expect(reaching.map(({ path, line }) => `${path}: ${line.trim()}`)).toEqual([
      'src/wire.ts: const observed = observeBinding(env.DB, cachedResponses.writes, observer)',
      'src/wire.ts: db: openDb(observed.binding),',
      'src/db/query.ts: export function openDb(binding: D1Database): Db {',
      'src/db/query.ts: const db = drizzle(binding)',
      // Before there is a server whose reads could be cached.
      'src/cloudflare/durable-objects/installation.ts: const progress = await applyNextPiece(this.env.DB, migrations)',
    ])
  })
})

describe('forbidden in test', () => {
  // Stubs of both hid that a search for a post made the person at the same address unfindable.
  it('standing in for how addresses are resolved: let fediverse.network serve what is there', () => {
    const stub = /\b(findAtAddress|statusByUri|accountByUri)\s*:/
    const breaking = sourceFiles('test')
      .filter(({ path }) => !path.startsWith('test/guard/'))
      .filter(({ text }) => stub.test(text))
    expect(breaking.map(({ path }) => path)).toEqual([])
  })
})
