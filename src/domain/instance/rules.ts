import { asc, eq, sql } from 'drizzle-orm'
import { both, execute, first, jsonRows, map, oneRow, orNotFound, type Query, rows } from '../../db/query'
import { rules } from '../../db/schema'
import type { RuleTranslations } from '../../db/schema/instance'
import { Conflict, Invalid } from '../../errors'
import { type Problem, problem } from '../../errors/sentences'
import type { Ctx } from '../../ports/ctx'
import { changedValues, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'

export type RuleRow = typeof rules.$inferSelect

/** Rules of the instance in their order. */
export function loadRules(ctx: Ctx): Query<RuleRow[]> {
  return rows(ctx.db.select().from(rules).orderBy(asc(rules.position), asc(rules.id)))
}

export function findRule(ctx: Ctx, id: number): Query<RuleRow | null> {
  return first(ctx.db.select().from(rules).where(eq(rules.id, id)))
}

/** Texts of a rule. */
export interface RuleDraft {
  readonly text: string
  readonly hint: string
}

/** Fields of a rule that administrators set. */
export interface RuleOrder extends RuleDraft {
  /** By language code. */
  readonly translations: RuleTranslations
}

export const ruleLimits = {
  rules: 100,
  textCharacters: 1_000,
  hintCharacters: 2_000,
  translations: 50,
} as const

const languageCode = /^[a-z]{2,3}(-[A-Za-z]{2,4})?$/

/** Adds a rule behind the others. `Invalid` for bad fields. Returns its id. */
export async function createRule(ctx: Ctx, moderator: Moderator, order: RuleOrder): Promise<number> {
  const fields = checked(order)
  const id = ctx.ids.next()
  const next = sql<number>`(select coalesce(max(position) + 1, 0) from rules)`
  const changes = new Changes()
    .require(sql`(select count(*) from rules) < ${ruleLimits.rules}`, tooMany())
    .add(ctx.db.insert(rules).values({ id, position: next, ...fields }))
  recordAudit(ctx, changes, moderator, {
    action: 'create',
    target: targetOf({ id, ...fields }),
    after: { ...fields },
  })
  await commit(ctx, changes)
  return id
}

/** Changes the fields given; translations are replaced as a whole. `Conflict` where the rule changed meanwhile. */
export async function updateRule(
  ctx: Ctx,
  moderator: Moderator,
  id: number,
  patch: Partial<RuleOrder>,
): Promise<void> {
  const rule = await ruleOrNotFound(ctx, id)
  const { text, hint, translations } = rule
  const before = { text, hint, translations }
  const fields = checked({ ...before, ...patch })
  const changes = requireUnchanged(new Changes(), rule).add(
    ctx.db.update(rules).set(fields).where(eq(rules.id, id)),
  )
  recordAudit(ctx, changes, moderator, {
    action: 'update',
    target: targetOf(rule),
    ...changedValues(before, { ...fields }),
  })
  await commit(ctx, changes)
}

/**
 * Deletes a rule. Reports keep its id, and what they kept as evidence. `Conflict` where the rule changed meanwhile.
 */
export async function deleteRule(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const rule = await ruleOrNotFound(ctx, id)
  const { text, hint, translations } = rule
  const changes = requireUnchanged(new Changes(), rule).add(ctx.db.delete(rules).where(eq(rules.id, id)))
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: targetOf(rule),
    before: { text, hint, translations },
  })
  await commit(ctx, changes)
}

/**
 * Puts the rules into this order. `Invalid` unless `ids` are those of all rules, each once; `Conflict` where they are
 * put into another at the same time.
 */
export async function orderRules(ctx: Ctx, moderator: Moderator, ids: readonly number[]): Promise<void> {
  const before = (await execute(ctx.db, loadRules(ctx))).map(({ id }) => id)
  const isComplete = sql`(select json_group_array(id) from (select id from rules order by id))
    = ${JSON.stringify(ids.toSorted((a, b) => a - b))}`
  const changes = new Changes()
    .require(isComplete, new Invalid('not_all_ids', { field: 'ids' }))
    .require(sql`${storedOrder} = ${JSON.stringify(before)}`, changedTogether())
    .add(
      ctx.db.run(sql`update ${rules} set position = item.key from ${jsonRows(ids)}
        where rules.id = item.value`),
    )
  recordAudit(ctx, changes, moderator, {
    action: 'order',
    target: { type: 'rule', id: null, label: '' },
    before: { ids: before.map(String) },
    after: { ids: ids.map(String) },
  })
  await commit(ctx, changes)
}

/**
 * Replaces all rules. A rule whose text stays keeps its id and its translations. `Invalid` for bad texts, `Conflict`
 * where another moderator changes any of them at the same time.
 */
export async function saveRules(ctx: Ctx, moderator: Moderator, drafts: readonly RuleDraft[]): Promise<void> {
  const [before, stored] = await execute(ctx.db, both(loadRules(ctx), findStored(ctx)))
  const fields = drafts.map((draft) => checked({ ...draft, translations: {} }))
  if (fields.length > ruleLimits.rules) throw tooMany()
  const firstId = ctx.ids.next()
  const list = fields.map(({ text, hint }, index) => ({ id: firstId + index, position: index, text, hint }))
  const unchanged = sql`select 1 from ${jsonRows(list)} where item.value ->> 'text' = rules.text`
  const changes = new Changes().require(sql`${storedRules} = ${stored}`, changedTogether()).add(
    ctx.db.delete(rules).where(sql`not exists (${unchanged})`),
    ctx.db.run(sql`update ${rules} set
      position = (select item.value ->> 'position' from ${jsonRows(list)} where item.value ->> 'text' = rules.text limit 1),
      hint = (select item.value ->> 'hint' from ${jsonRows(list)} where item.value ->> 'text' = rules.text limit 1)`),
    ctx.db.run(sql`insert into ${rules} (id, position, text, hint)
      select min(item.value ->> 'id'), min(item.value ->> 'position'), item.value ->> 'text', item.value ->> 'hint'
      from ${jsonRows(list)}
      where not exists (select 1 from ${rules} where rules.text = item.value ->> 'text')
      group by item.value ->> 'text'`),
  )
  recordAudit(ctx, changes, moderator, {
    action: 'replace',
    target: { type: 'rule', id: null, label: '' },
    before: { texts: before.map(({ text }) => text) },
    after: { texts: list.map(({ text }) => text) },
  })
  await commit(ctx, changes)
}

/** Rules as one JSON text, in their order: equal as long as none changes. */
const storedRules = sql<string>`(select json_group_array(json_array(id, text, hint, translations))
  from (select * from rules order by position, id))`
const storedOrder = sql<string>`(select json_group_array(id) from (select id from rules order by position, id))`

function findStored(ctx: Ctx): Query<string> {
  return map(first(ctx.db.select({ list: storedRules.as('list') }).from(oneRow)), (row) => row?.list ?? '[]')
}

function changedTogether() {
  return new Conflict('rules_changed')
}

function requireUnchanged(changes: Changes, { id, text, hint, translations }: RuleRow): Changes {
  const isSame = sql`exists (select 1 from rules r where r.id = ${id} and r.text = ${text} and r.hint = ${hint}
    and json(r.translations) = json(${JSON.stringify(translations)}))`
  return changes.require(isSame, new Conflict('rule_changed'))
}

export async function ruleOrNotFound(ctx: Ctx, id: number): Promise<RuleRow> {
  const rule = await execute(ctx.db, orNotFound(findRule(ctx, id)))
  return rule
}

const labelCharacters = 80

function targetOf({ id, text }: Pick<RuleRow, 'id' | 'text'>) {
  return { type: 'rule' as const, id, label: text.slice(0, labelCharacters) }
}

function tooMany() {
  return new Invalid('too_many_rules', { max: ruleLimits.rules })
}

function checked({ text, hint, translations }: RuleOrder): RuleOrder {
  const entries = Object.entries(translations)
  const fields = {
    text: text.trim(),
    hint: hint.trim(),
    translations: Object.fromEntries(
      entries.map(([language, words]) => [language, { text: words.text.trim(), hint: words.hint.trim() }]),
    ),
  }
  const problems = [
    ...problemsOf(fields),
    ...entries.flatMap(([language]) =>
      languageCode.test(language)
        ? []
        : [problem('translation_language', { field: 'translations', language })],
    ),
    ...Object.entries(fields.translations).flatMap(([language, words]) => problemsOf(words, language)),
    ...(entries.length > ruleLimits.translations
      ? [problem('too_many', { field: 'translations', max: ruleLimits.translations })]
      : []),
  ]
  if (problems.length > 0) throw new Invalid(problems)
  return fields
}

/** Problems of a rule, or of its translation into a language. */
function problemsOf({ text, hint }: RuleDraft, language: string | null = null): readonly Problem[] {
  const { textCharacters, hintCharacters } = ruleLimits
  const field = 'translations'
  const tooLong = (part: string, max: number) =>
    language === null
      ? problem('too_long', { field: part.toLowerCase(), max })
      : problem('translation_too_long', { field, language, part, max })
  const blank =
    language === null
      ? problem('blank', { field: 'text' })
      : problem('translation_blank', { field, language })
  return [
    ...(text === '' ? [blank] : []),
    ...(text.length > textCharacters ? [tooLong('Text', textCharacters)] : []),
    ...(hint.length > hintCharacters ? [tooLong('Hint', hintCharacters)] : []),
  ]
}
