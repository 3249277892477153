import { describe, expect, it } from 'vitest'
import type { CaseReport, Figures } from '../bench/scale/figures'
import { type CostException, checkTimes, judge } from '../bench/scale/judge'
import { checkPlans, findingsOf } from '../bench/scale/plans'
import { scales } from '../support/scale/figures'

const none: Figures = {
  trips: 1,
  statements: 4,
  rowsRead: 0,
  rowsWritten: 0,
  objectCalls: 0,
  queued: 0,
  bytes: 0,
  largestBatch: 0,
  largestMessage: 0,
}
const reportOf = (figures: Partial<Figures>): CaseReport => ({
  figures: { ...none, ...figures },
  slowest: { milliseconds: 1, text: '' },
  worst: '',
  costliest: [],
  failures: [],
})
const judged = (before: Partial<Figures>, after: Partial<Figures>, ...exceptions: CostException[]) =>
  judge(
    { scale: scales['1000'], cases: { post: reportOf(before) } },
    { scale: scales['30000'], cases: { post: reportOf(after) } },
    exceptions,
  )

describe('the allowed cost of a case on a larger instance', () => {
  it('the allowed cost is a fifth more, and the missing rows of an unfilled page', () => {
    expect(judged({ rowsRead: 1_000 }, { rowsRead: 1_260 }).broken).toEqual([])
    expect(judged({ rowsRead: 1_000 }, { rowsRead: 1_261 }).broken).toEqual(['post: rowsRead 1000 → 1261'])
    expect(judged({ trips: 3 }, { trips: 5 }).broken).toEqual(['post: trips 3 → 5'])
  })

  it('the allowed cost is bounded where an exception names the bound', () => {
    const bounded = { case: 'post', reason: 'a page', atMost: { rowsRead: 500 } }
    expect(judged({ rowsRead: 10 }, { rowsRead: 500 }, bounded).broken).toEqual([])
    expect(judged({ rowsRead: 10 }, { rowsRead: 501 }, bounded).broken).toEqual(['post: rowsRead 10 → 501'])
  })

  it('the allowed cost is linear where an exception names the factor', () => {
    const { starHosts: more } = scales['30000']
    const { starHosts: few } = scales['1000']
    const linear: CostException = {
      case: 'post',
      reason: 'a call for each server',
      per: 'starHosts',
      factors: { objectCalls: 1 },
    }
    expect(judged({ objectCalls: few }, { objectCalls: more + 1 }, linear).broken).toEqual([])
    expect(judged({ objectCalls: few }, { objectCalls: more + 2 }, linear).broken).not.toEqual([])
    expect(judged({ objectCalls: few }, { objectCalls: more, rowsRead: 99 }, linear).broken).toEqual([
      'post: rowsRead 0 → 99',
    ])
  })

  it('the allowed cost is never a batch of more than 50,000 rows or a message of more than 64 KiB', () => {
    expect(judged({ largestBatch: 60_000 }, { largestBatch: 60_000 }).broken).not.toEqual([])
    expect(judged({ largestMessage: 65_536 }, { largestMessage: 65_536 }).broken).toEqual([])
    expect(judged({}, { largestMessage: 65_537 }).broken).toEqual(['post: largestMessage 0 → 65537'])
  })

  it('the allowed cost is never a statement of more than five seconds, on an instance of any size', () => {
    const taking = (milliseconds: number) => ({
      ...reportOf({}),
      slowest: { milliseconds, text: 'select\n  1' },
    })
    const times = checkTimes({ cases: { get: taking(5_000), post: taking(5_001) } })
    expect(times).toEqual({ slowest: 'post: 5001 ms, select 1', broken: ['post: 5001 ms, select 1'] })
    expect(checkTimes({ cases: { get: taking(5_000) } }).broken).toEqual([])
  })

  it('the allowed cost has no unneeded exception', () => {
    const bounded: CostException = { case: 'post', reason: 'a longer page', atMost: { rowsRead: 9_000 } }
    expect(judged({}, { rowsRead: 9_000 }, bounded)).toMatchObject({ broken: [], unused: [] })
    expect(judged({}, {}, bounded).unused).toEqual([bounded])
  })
})

describe('the plan of a statement', () => {
  const tables = new Set(['statuses', 'accounts', 'settings'])
  const findings = (text: string, plan: readonly string[], rows = 10) =>
    findingsOf({ text, rows, plan }, tables)

  it('the plan of a statement must not scan a growing table, also under an alias', () => {
    expect(findings('delete from statuses where url = ?', ['SCAN statuses'])).toEqual(['scan of statuses'])
    expect(findings('select 1 from "statuses" s where s.url = ?', ['SCAN s'])).toEqual(['scan of statuses'])
    expect(findings('select 1 from accounts as a', ['SCAN a USING COVERING INDEX accounts_uri'])).toEqual([
      'scan of accounts',
    ])
  })

  it('the plan of a statement can read the beginning of an index, a short table, and a derived table', () => {
    expect(findings('select 1 from statuses s order by s.id desc limit 20', ['SCAN s'])).toEqual([])
    expect(findings('select 1 from settings', ['SCAN settings'])).toEqual([])
    expect(
      findings('select 1 from (select 1) as statuses', ['CO-ROUTINE statuses', 'SCAN statuses']),
    ).toEqual([])
    expect(findings('select 1 from json_each(?) s', ['SCAN s VIRTUAL TABLE INDEX 1:'])).toEqual([])
  })

  it('the plan of a statement must not skip rows by a parameter, except by a number in its text', () => {
    expect(findings('select 1 from statuses limit 20 offset ?', [])).toEqual(['offset'])
    expect(findings('select 1 from statuses limit 1 offset 399', [])).toEqual([])
  })

  it('the plan of a statement must not sort many rows', () => {
    const plan = ['SEARCH statuses USING INDEX x', 'USE TEMP B-TREE FOR ORDER BY']
    expect(findings('select 1', plan, 3_001)).toEqual(['sort of many'])
    expect(findings('select 1', plan, 3_000)).toEqual([])
  })

  it('the plan of a statement is excused by part of its text, by an exception that is needed', () => {
    const statements = [{ text: 'delete  from statuses where url = ?', rows: 9, plan: ['SCAN statuses'] }]
    const excuse = { statement: 'from statuses where url', finding: 'scan of *', reason: 'x' }
    expect(checkPlans(statements, tables, [excuse])).toEqual({ broken: [], unused: [] })
    expect(checkPlans(statements, tables, []).broken).toHaveLength(1)
    expect(checkPlans([], tables, [excuse]).unused).toHaveLength(1)
  })
})
