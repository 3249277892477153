import type { Config } from '../../../config'
import { type DomainSeverity, domainSeverities } from '../../../db/schema/federation'
import { Invalid } from '../../../errors'
import { descriptionOf } from '../../../errors/sentences'
import { type CsvLine, columnNames, formatCsv, parseCsv, unclosedLine } from '../../../lib/csv'
import { parseLimitedDomain, problemOfDomain } from '../limit-domain'

/** A limit as a list publishes it. */
export interface ListedLimit {
  readonly domain: string
  readonly severity: DomainSeverity
  readonly rejectMedia: boolean
  readonly rejectReports: boolean
  readonly obfuscate: boolean
  readonly publicComment: string
}

/** Maximum of lines in one list. */
export const maxLines = 10_000
/** Maximum of lines that a refusal names. */
const namedLines = 10
const maxCommentLength = 2_000

/** Columns of Mastodon's format. */
const columns = [
  '#domain',
  '#severity',
  '#reject_media',
  '#reject_reports',
  '#public_comment',
  '#obfuscate',
] as const

/** Formats limits as Mastodon exports them. */
export function formatBlocklist(limits: readonly ListedLimit[]): string {
  return formatCsv([
    columns,
    ...limits.map((limit) => [
      limit.domain,
      limit.severity,
      String(limit.rejectMedia),
      String(limit.rejectReports),
      limit.publicComment,
      String(limit.obfuscate),
    ]),
  ])
}

/**
 * Parses a list in Mastodon's format; without a heading each line is a domain to suspend, as Mastodon reads it. Names
 * of columns may lack the `#`, and a leading `*.` of a domain is dropped.
 *
 * `Invalid` with the numbers of malformed lines: nothing of such a list is used.
 */
export function parseBlocklist(config: Pick<Config, 'ownDomains'>, text: string): readonly ListedLimit[] {
  const lines = parseCsv(text)
  const unclosed = unclosedLine(text, lines)
  if (unclosed !== null) throw new Invalid('unclosed_quote', { line: unclosed })
  const names = headingOf(lines[0])
  const entries = names === null ? lines.filter(isNoRemark) : lines.slice(1)
  if (entries.length > maxLines) throw new Invalid('list_too_long', { max: maxLines })
  const found = new Map<string, ListedLimit>()
  const problems: string[] = []
  for (const line of entries) {
    const parsed = parseLine(config, line.cells, names ?? ['domain'])
    if (typeof parsed === 'string') problems.push(`Line ${line.number}: ${parsed}`)
    else if (!isSame(found.get(parsed.domain) ?? parsed, parsed))
      problems.push(`Line ${line.number}: ${parsed.domain} is in the list already, with other values`)
    else found.set(parsed.domain, parsed)
  }
  if (problems.length > 0) throw new Invalid('list_malformed', { lines: sentenceOf(problems) })
  return [...found.values()]
}

function sentenceOf(problems: readonly string[]): string {
  const more = problems.length - namedLines
  return [...problems.slice(0, namedLines), ...(more > 0 ? [`and ${more} more lines`] : [])].join('; ')
}

/** Names of columns, without `#`; null where the first line is an entry. */
function headingOf(line: CsvLine | undefined): readonly string[] | null {
  const names = columnNames(line?.cells ?? [])
  return names.includes('domain') ? names : null
}

function isNoRemark({ cells: [first = ''] }: CsvLine): boolean {
  return !first.startsWith('#')
}

/** The limit of a line, or what is wrong with it. */
function parseLine(
  config: Pick<Config, 'ownDomains'>,
  cells: readonly string[],
  names: readonly string[],
): ListedLimit | string {
  const cell = (name: string) => cells[names.indexOf(name)] ?? ''
  const name = cell('domain').replace(/^\*\./, '')
  const domain = parseLimitedDomain(name)
  if (domain === null) return `“${name.slice(0, 100)}” is not a valid domain name`
  const problem = problemOfDomain(config, domain)
  if (problem !== null) return `${domain} ${descriptionOf({ code: problem, values: {} })}`
  const severity = severityOf(cell('severity'))
  if (severity === null) return `“${cell('severity').slice(0, 100)}” is not a severity`
  const flags = ['reject_media', 'reject_reports', 'obfuscate'].map((flag) => ({
    flag,
    value: flagOf(cell(flag)),
  }))
  const bad = flags.find(({ value }) => value === null)
  if (bad !== undefined) return `${bad.flag} is neither true nor false`
  const [rejectMedia, rejectReports, obfuscate] = flags.map(({ value }) => value === true)
  return {
    domain,
    severity,
    rejectMedia: rejectMedia === true,
    rejectReports: rejectReports === true,
    obfuscate: obfuscate === true,
    publicComment: cell('public_comment').slice(0, maxCommentLength),
  }
}

function severityOf(cell: string): DomainSeverity | null {
  if (cell === '') return 'suspend'
  return domainSeverities.find((severity) => severity === cell.toLowerCase()) ?? null
}

function flagOf(cell: string): boolean | null {
  const text = cell.toLowerCase()
  if (['', 'false', 'f', '0', 'no'].includes(text)) return false
  return ['true', 't', '1', 'yes'].includes(text) ? true : null
}

/** Whether two lines ask for the same. */
export function isSame(a: ListedLimit, b: ListedLimit): boolean {
  return hasSameStrictness(a, b) && a.obfuscate === b.obfuscate && a.publicComment === b.publicComment
}

type Strictness = Pick<ListedLimit, 'severity' | 'rejectMedia' | 'rejectReports'>

export function hasSameStrictness(a: Strictness, b: Strictness): boolean {
  return a.severity === b.severity && a.rejectMedia === b.rejectMedia && a.rejectReports === b.rejectReports
}
