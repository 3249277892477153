import type { StatementCosts } from './figures.ts'

/** Statement that may read what should not be read. */
export interface PlanException {
  /** Part of its text, with every run of blanks as one blank. */
  readonly statement: string
  readonly finding: string
  readonly reason: string
}

export interface PlanVerdict {
  readonly broken: readonly string[]
  readonly unused: readonly PlanException[]
}

/** Rows up to which sorting needs no index. */
const sortedRows = 3_000

/** Tables of a handful of rows, whatever the size of the instance. */
const short: ReadonlySet<string> = new Set([
  'activity_weeks',
  'active_days',
  'announcements',
  'applications',
  'blocklists',
  'counters',
  'cleanup_policies',
  'heard_topics',
  'media_days',
  'roles',
  'rules',
  'settings',
  'sqlite_schema',
  'terms_of_service',
  'trending_links',
  'trending_statuses',
  'trending_tags',
  'warning_presets',
  'webhooks',
])

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('"', '').trim()

/** Finds what is wrong with the plan of a statement. An offset in the text itself is a bound; a parameter may be anything. Pure. */
export function findingsOf({ text, rows, plan }: StatementCosts, tables: ReadonlySet<string>): string[] {
  const sql = plain(text)
  const derived = new Set(plan.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\w+)/.exec(step)?.[1] ?? []))
  const scanned = plan
    .filter((step) => !derived.has(/^SCAN (\w+)/.exec(step)?.[1] ?? ''))
    .flatMap((step) => scanOf(step, sql, tables))
  const sorts = plan.some((step) => step.startsWith('USE TEMP B-TREE')) && rows > sortedRows
  return [
    ...new Set(scanned.map((table) => `scan of ${table}`)),
    ...(/\boffset \?/i.test(sql) ? ['offset'] : []),
    ...(sorts ? ['sort of many'] : []),
  ]
}

/** Table that a step of a plan reads from end to end. In the order of an index and with a limit it ends early. */
function scanOf(step: string, sql: string, tables: ReadonlySet<string>): string[] {
  const [, name, index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(step) ?? []
  if (name === undefined || step.includes('VIRTUAL TABLE')) return []
  if (/\blimit\b/i.test(sql)) return []
  const table = tables.has(name) ? name : tableNamed(name, sql, tables)
  if (table === undefined || short.has(table)) return []
  // A partial index holds few rows by design: of those that are due, open or silenced.
  if (index !== undefined && partial.has(index)) return []
  return [table]
}

const partial: ReadonlySet<string> = new Set([
  'accounts_sensitized',
  'accounts_silenced',
  'accounts_suspended',
  'blocklists_due',
  'imports_finished',
  'imports_running',
  'ip_blocks_no_access',
  'mutes_expiry',
  'polls_open',
  'users_disabled',
  'users_pending',
])

/** Table behind an alias. */
function tableNamed(alias: string, sql: string, tables: ReadonlySet<string>): string | undefined {
  for (const [, table = ''] of sql.matchAll(new RegExp(`\\b(\\w+)(?: as)? ${alias}\\b`, 'gi')))
    if (tables.has(table)) return table
  return undefined
}

/** `scan of *` covers every table. */
const covers = (pattern: string, finding: string) =>
  pattern.endsWith('*') ? finding.startsWith(pattern.slice(0, -1)) : pattern === finding

/** Judges every statement of a run. Pure. */
export function checkPlans(
  statements: readonly StatementCosts[],
  tables: ReadonlySet<string>,
  exceptions: readonly PlanException[],
): PlanVerdict {
  const used = new Set<PlanException>()
  const broken = statements.flatMap((statement) =>
    findingsOf(statement, tables).flatMap((finding) => {
      const excuse = exceptions.find(
        (one) => covers(one.finding, finding) && plain(statement.text).includes(plain(one.statement)),
      )
      if (excuse !== undefined) used.add(excuse)
      return excuse === undefined ? [`${finding} (${statement.rows} rows): ${plain(statement.text)}`] : []
    }),
  )
  return { broken, unused: exceptions.filter((one) => !used.has(one)) }
}
